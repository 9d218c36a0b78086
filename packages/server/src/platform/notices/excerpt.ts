const EXCERPT_LENGTH = 140

/** The beginning of what somebody wrote, in one line. */
export function excerptOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const letters = Array.from(line)
  return letters.length > EXCERPT_LENGTH ? `${letters.slice(0, EXCERPT_LENGTH).join('')}…` : line
}
