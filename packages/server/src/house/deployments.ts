import { type Static, Type } from 'typebox'
import type { IntentKind } from '../money/intents/intents.ts'

const HexText = Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-fA-F]*$' })

const Deployment = Type.Object({ to: HexText, data: HexText })
export type Deployment = Static<typeof Deployment>

/** A wallet with a few owners; its payer decides how many there are. The devnet's, a whole contract, takes most of it. */
export const DEPLOYMENT_GAS = 2_500_000n

/**
 * Deploys the smart wallet of a payer before its first payment. The outcome matters to nobody: whether the wallet is
 * there shows when the payment behind it in the lane is tried.
 */
export const deploymentKind = (kind: string): IntentKind<Deployment> => ({
  kind,
  payload: Deployment,
  sender: 'operator',
  finality: 'confirmed',
  mostGas: DEPLOYMENT_GAS,
  prepare: async ({ to, data }) => ({ to, data, value: 0n }),
})
