import type { Address, Hex } from 'viem'

/** What a transaction will say, before anyone has chosen its sender, nonce or fees. */
export type PreparedCall = { to: Address; data: Hex; value: bigint }

/** A call that carries no ether, as all of this service's do. */
export const callTo = (to: Address, data: Hex): PreparedCall => ({ to, data, value: 0n })
