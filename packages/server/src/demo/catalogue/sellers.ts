import { data } from './data.ts'
import { design } from './design.ts'
import { engineering } from './engineering.ts'
import { finance } from './finance.ts'
import { operations } from './operations.ts'
import { research } from './research.ts'
import type { DemoSeller, Trade } from './trade.ts'
import { translation } from './translation.ts'
import { writing } from './writing.ts'

const trades: readonly Trade[] = [
  finance,
  engineering,
  research,
  writing,
  design,
  data,
  translation,
  operations,
]

export interface CastSeller extends DemoSeller {
  trade: Trade
}

const mostPerTrade = Math.max(...trades.map((trade) => trade.sellers.length))

/** Everyone who sells, one of each trade in turn, so that a part of the cast is as varied as the whole. */
export const sellers: readonly CastSeller[] = Array.from({ length: mostPerTrade }, (_, place) =>
  trades.flatMap((trade) => trade.sellers.slice(place, place + 1).map((seller) => ({ ...seller, trade }))),
).flat()
