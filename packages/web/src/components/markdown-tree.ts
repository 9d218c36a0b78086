import { fromMarkdown } from 'mdast-util-from-markdown'

export type MarkdownTree = ReturnType<typeof fromMarkdown>
export type MarkdownNode = MarkdownTree | MarkdownTree['children'][number]

/** Quotes and lists in each other, which take long to read and look like nothing. */
const nestedTooDeep = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){12,}/m

/** The text as a tree; undefined for what is shown as it was written. */
export function markdownTree(text: string): MarkdownTree | undefined {
  return nestedTooDeep.test(text) ? undefined : fromMarkdown(text)
}

/** A link of a stranger leads to the web or to a mailbox, or nowhere. */
export function safeUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return ['https:', 'http:', 'mailto:'].includes(protocol) ? href : undefined
}
