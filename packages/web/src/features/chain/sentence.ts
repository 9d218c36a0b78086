/** A sentence about the chain, with its amounts, addresses and times kept apart so that the page can show them properly. */
export type Part =
  | string
  | { kind: 'money'; micro: bigint }
  | { kind: 'address'; address: string }
  | { kind: 'time'; atSeconds: bigint }

export interface Sentence {
  parts: Part[]
  /** Bookkeeping of a contract, which says less than the rest. */
  isQuiet: boolean
}

export const money = (micro: bigint): Part => ({ kind: 'money', micro })
export const address = (value: string): Part => ({ kind: 'address', address: value })
export const time = (atSeconds: bigint | number): Part => ({ kind: 'time', atSeconds: BigInt(atSeconds) })

export const say = (...parts: Part[]): Sentence => ({ parts, isQuiet: false })
export const murmur = (...parts: Part[]): Sentence => ({ parts, isQuiet: true })
