import { type Static, Type } from 'typebox'
import { type IntentKind, IntentRejected } from '../money/intents/intents.ts'
import type { ChainPort } from '../ports/chain/port.ts'

const HexText = Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-fA-F]*$' })

const Deployment = Type.Object({ to: HexText, data: HexText })
export type Deployment = Static<typeof Deployment>

/** A wallet with a few owners; its payer decides how many there are. The devnet's, a whole contract, takes most of it. */
export const DEPLOYMENT_GAS = 2_500_000n

/**
 * Deploys the smart wallet of a payer before its first payment. The outcome matters to nobody: whether the wallet is
 * there shows when the payment behind it in the lane is tried. The call comes from a payer, and the operator's account is
 * what the escrow obeys: nothing but a factory of wallets is called with it.
 */
export const deploymentKind = (
  kind: string,
  { isWalletFactory }: Pick<ChainPort, 'isWalletFactory'>,
): IntentKind<Deployment> => ({
  kind,
  payload: Deployment,
  sender: 'operator',
  finality: 'confirmed',
  mostGas: DEPLOYMENT_GAS,
  async prepare({ to, data }) {
    if (!isWalletFactory(to)) throw new IntentRejected('NOT_A_WALLET_FACTORY')
    return { to, data, value: 0n }
  },
})
