export interface Heading {
  level: number
  /** Without its markup. */
  title: string
}

/** Longer ones are cut: a title is read several times, and nobody writes one. */
const MAX_TITLE_LENGTH = 300

/** Headings of both kinds, `# Title` and underlined; what is in code, comments, quotes, lists and front matter is none. */
export function readHeadings(markdown: string): Heading[] {
  const headings: Heading[] = []
  /** The text that an underline would make a heading of. */
  let paragraph = ''
  /** What ends the part that is being skipped. */
  let isEnd: ((line: string) => boolean) | undefined
  for (const [index, line] of markdown.split(/\r\n|\r|\n/).entries()) {
    if (isEnd) {
      if (isEnd(line)) isEnd = undefined
      continue
    }
    isEnd = skipFrom(line, index)
    const marked = isEnd ? undefined : readMarked(line)
    const underline = isEnd || marked ? undefined : readUnderline(line)
    if (marked) headings.push(marked)
    if (underline && paragraph !== '') headings.push({ level: underline, title: plainText(paragraph) })
    const goesOn = !isEnd && !marked && !underline && isParagraph(line, paragraph !== '')
    paragraph = goesOn ? `${paragraph} ${line.trim()}`.slice(0, MAX_TITLE_LENGTH) : ''
  }
  return headings
}

/** How a part ends that begins with this line and holds no headings: code between fences, a comment, front matter. */
function skipFrom(line: string, index: number): ((line: string) => boolean) | undefined {
  if (index === 0 && line.trimEnd() === '---') return (next) => /^(?:---|\.\.\.)$/.test(next.trimEnd())
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
  if (fence !== undefined && !(fence.startsWith('`') && line.trimStart().slice(fence.length).includes('`')))
    return (next) => closes(next, fence)
  if (/^ {0,3}<!--/.test(line) && !line.includes('-->')) return (next) => next.includes('-->')
  return undefined
}

function closes(line: string, fence: string): boolean {
  const text = line.trim()
  const isSame = text.length >= fence.length && text === (fence[0] ?? '').repeat(text.length)
  return isSame && /^ {0,3}\S/.test(line)
}

function readMarked(line: string): Heading | undefined {
  const marks = /^ {0,3}(#{1,6})(?=[ \t]|$)/.exec(line)?.[1]
  if (marks === undefined) return undefined
  const text = line.trim().slice(marks.length).trim()
  const closing = /(?:^|[ \t])#+$/.exec(text.slice(-MAX_TITLE_LENGTH))?.[0]
  return { level: marks.length, title: plainText(closing ? text.slice(0, -closing.length) : text) }
}

function readUnderline(line: string): 1 | 2 | undefined {
  if (!/^ {0,3}[=-]/.test(line)) return undefined
  const text = line.trim()
  const mark = text[0] ?? ''
  if (text !== mark.repeat(text.length)) return undefined
  return mark === '=' ? 1 : 2
}

/** Whether an underline below would make a heading of it: no list, quote, table or code, unless it goes on with a text. */
function isParagraph(line: string, goesOn: boolean): boolean {
  if (line.trim() === '') return false
  if (goesOn) return !/^ {0,3}>/.test(line)
  return !/^(?: {4}|\t| {0,3}(?:[>|]|[-+*][ \t]|\d{1,9}[.)][ \t]))/.test(line)
}

/** The words of a title: links and pictures by their text, without emphasis and code marks. */
function plainText(markdown: string): string {
  return markdown
    .slice(0, MAX_TITLE_LENGTH)
    .toWellFormed()
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])|[`*]/g, '$1')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
