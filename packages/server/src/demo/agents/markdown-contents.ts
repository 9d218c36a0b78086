import { createBudget } from './budget.ts'
import { readHeadings } from './read-headings.ts'

const DEFAULT_MAX_LEVEL = 3
const INDENT = '  '

export interface MarkdownInput {
  markdown: string
  maxLevel?: number
}

export interface Contents {
  contents: string
  headings: number
  headingsLeftOut: number
}

/** A table of contents whose links are the anchors that GitHub and most others give to headings. */
export function makeContents({ markdown, maxLevel = DEFAULT_MAX_LEVEL }: MarkdownInput): Contents {
  const anchorOf = createAnchors()
  // Every heading has an anchor, also those that are not listed: they count for the names of later ones.
  const listed = readHeadings(markdown)
    .map((heading) => ({ ...heading, anchor: anchorOf(heading.title) }))
    .filter(({ level, title }) => level <= maxLevel && title !== '')
  const top = listed.reduce((least, { level }) => Math.min(least, level), maxLevel)
  const budget = createBudget()
  const lines: string[] = []
  for (const { level, title, anchor } of listed) {
    const line = `${INDENT.repeat(level - top)}- [${escapeText(title)}](#${anchor})\n`
    if (!budget.take(line)) break
    lines.push(line)
  }
  return {
    contents: lines.join(''),
    headings: lines.length,
    headingsLeftOut: listed.length - lines.length,
  }
}

const escapeText = (text: string): string => text.replaceAll(/[\\[\]<>]/g, '\\$&')

/** Lower case, letters, numbers, `-` and `_` alone; the second of the same name ends with `-1`. */
function createAnchors(): (title: string) => string {
  const counts = new Map<string, number>()
  return (title) => {
    const plain = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    let anchor = plain
    while (counts.has(anchor)) {
      const count = (counts.get(plain) ?? 0) + 1
      counts.set(plain, count)
      anchor = `${plain}-${count}`
    }
    counts.set(anchor, 0)
    return anchor
  }
}
