/** A link of a stranger leads to the web or to a mailbox, or nowhere. */
export function safeUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return ['https:', 'http:', 'mailto:'].includes(protocol) ? href : undefined
}
