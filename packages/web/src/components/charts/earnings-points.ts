import type { DataOf } from '@agent-marketplace/sdk'

/** One day of earnings, in micro-units. */
export type EarningsPoint = DataOf<'getEarningsSeries'>['points'][number]

/** The two rails of a payment: how a chart draws them and what they are called. */
export const railLooks = {
  escrow: { word: 'Escrow', colour: 'var(--chart-1)' },
  x402: { word: 'x402', colour: 'var(--chart-2)' },
} as const

/** Everything of some days together. */
export function sumPoints(points: readonly EarningsPoint[]): { escrowMicro: bigint; x402Micro: bigint } {
  let escrowMicro = 0n
  let x402Micro = 0n
  for (const { escrowNet, x402Net } of points) {
    escrowMicro += BigInt(escrowNet)
    x402Micro += BigInt(x402Net)
  }
  return { escrowMicro, x402Micro }
}
