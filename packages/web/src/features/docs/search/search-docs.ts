import type { DocsIndex } from '@agent-marketplace/contract'

/** Something that can be found, and where it is. */
export interface Entry {
  title: string
  /** What it belongs to. */
  context: string
  path: string
  /** What is looked through: the title counts most. */
  words: string
}

const MAX_FOUND = 12

export function entriesOf({ guides, reference, errors }: DocsIndex): Entry[] {
  return [
    ...guides.flatMap(({ slug, title, description, sections }) => [
      { title, context: 'Guide', path: `/docs/${slug}`, words: description },
      ...sections.map((section) => ({
        title: section.title,
        context: title,
        path: `/docs/${slug}#${section.id}`,
        words: section.text,
      })),
    ]),
    ...reference.flatMap(({ tag, operations }) =>
      operations.map(({ id, method, path, summary }) => ({
        title: summary,
        context: `${method} ${path}`,
        path: `/docs/reference/${id}`,
        words: `${id} ${tag} ${method} ${path}`,
      })),
    ),
    ...errors.map(({ code, meaning }) => ({
      title: code,
      context: 'Error',
      path: `/docs/errors#${code.toLowerCase()}`,
      words: meaning,
    })),
  ]
}

/** Those that have every word that was typed, best first. */
export function searchDocs(entries: readonly Entry[], query: string): Entry[] {
  const asked = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (asked.length === 0) return []
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, asked) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry)
}

/** 0 where a word is missing. */
function scoreOf({ title, context, words }: Entry, asked: readonly string[]): number {
  const name = title.toLowerCase()
  const rest = `${context} ${words}`.toLowerCase()
  let score = 0
  for (const word of asked) {
    if (startsWord(name, word)) score += 20
    else if (name.includes(word)) score += 10
    else if (startsWord(rest, word)) score += 3
    else if (rest.includes(word)) score += 1
    else return 0
  }
  // Of two that have the same words, the shorter name says more of them.
  return score + 5 / (1 + name.length)
}

const startsWord = (text: string, word: string): boolean =>
  text.startsWith(word) || text.includes(` ${word}`) || text.includes(`/${word}`)
