import { SHORTEST_PASTED } from '../../../platform/db/search-words.ts'

/**
 * The words by which entries are found; any others are then looked for in those entries. A word that can be part of a hash or
 * of a wallet is rare, so the longest of these alone is the anchor. Only such words can occur in transactions and payers.
 */
export function anchorsOf(words: readonly string[]): readonly string[] {
  const [longest] = words.filter(isPartOfHash).toSorted((a, b) => b.length - a.length)
  return longest === undefined ? words : [longest]
}

export const isPartOfHash = (word: string): boolean =>
  word.length >= SHORTEST_PASTED && /^0?x?[0-9a-f]*$/i.test(word)

export const isWholeHash = (word: string): boolean => /^0x[0-9a-f]{64}$/i.test(word)
export const isWholeWallet = (word: string): boolean => /^0x[0-9a-f]{40}$/i.test(word)
