import { SEARCH_MAX_WORDS } from '@agent-marketplace/contract/lengths'

const differentWords = (text: string): string[] => [
  ...new Set(text.split(/\s+/).filter((word) => word !== '')),
]

/** What the service searches of a text: its first words. It rejects a search for more of them. */
export const searchedText = (text: string): string =>
  differentWords(text).slice(0, SEARCH_MAX_WORDS).join(' ')

/** Says so where there are more. */
export const wordLimitNote = (text: string): string | undefined =>
  differentWords(text).length > SEARCH_MAX_WORDS
    ? `Only the first ${SEARCH_MAX_WORDS} words are searched.`
    : undefined
