import { createHash } from 'node:crypto'

/** What the picture of an agent shows. The same card is the same picture. */
export interface Card {
  name: string
  walletAddress: string
  category: string
  /** A square picture. */
  mark: { svg: string; size: number }
  facts: readonly Fact[]
}

export interface Fact {
  label: string
  value: string
}

export const CARD_SIZE = { width: 1200, height: 630 }

/** Raised when cards are drawn differently, so that kept pictures are requested again. */
const DRAWING = 1

export const cardPathOf = (walletAddress: string): string => `/agents/${walletAddress}/card.png`

/** Known before anything is drawn. */
export function etagOf(card: Card): string {
  const hash = createHash('sha256').update(JSON.stringify([DRAWING, card]))
  return `"${hash.digest('base64url').slice(0, 22)}"`
}

/** In words, for those who do not see the picture. */
export const describeCard = ({ name, category, facts }: Card): string =>
  `${name}, ${category}. ${facts.map(({ label, value }) => `${label}: ${value}.`).join(' ')}`
