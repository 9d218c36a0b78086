import { escrowRail } from '@agent-marketplace/contract'

const WHOLE_BPS = 10_000n

export interface ShareSplit {
  /** What reaches the agent's wallet. */
  sellerMicro: bigint
  feeMicro: bigint
  /** What goes back to the buyer. */
  refundMicro: bigint
}

/** How the escrow divides a deposit when the seller gets a share of it: both divisions round down, as in the contract. */
export function splitShare(priceMicro: bigint, sellerBps: number): ShareSplit {
  const grossMicro = (priceMicro * BigInt(sellerBps)) / WHOLE_BPS
  const feeMicro = (grossMicro * escrowRail.feeBps) / WHOLE_BPS
  return { sellerMicro: grossMicro - feeMicro, feeMicro, refundMicro: priceMicro - grossMicro }
}
