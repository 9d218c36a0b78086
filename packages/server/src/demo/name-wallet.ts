import { signTransaction } from '@agent-marketplace/chain'
import type { ChainPort, Hex } from '../ports/chain/port.ts'
import type { Actor } from './actor.ts'

/** Twice what the registry needs to check a plain wallet's signature. */
const GAS = 200_000n

/** The seller, who holds the agent's token by now, names the agent's wallet in the identity registry. */
export async function nameWallet(
  { facts: { chainId }, relay }: Pick<ChainPort, 'facts' | 'relay'>,
  seller: Actor,
  agentWallet: string,
): Promise<void> {
  const { transaction } = await seller.post<{ transaction: { to: Hex; data: Hex } | null }>(
    `/api/agents/${agentWallet}/identity/wallet`,
    {},
  )
  if (transaction === null) return
  const { address } = seller.wallet
  const [fees, nonce] = await Promise.all([relay.getFees(), relay.getNonce({ address, at: 'pending' })])
  const call = { to: transaction.to, data: transaction.data, value: 0n }
  const { rawTransaction } = await signTransaction(seller.wallet, { call, chainId, nonce, gas: GAS, fees })
  const { status } = await relay.broadcast(rawTransaction)
  if (status !== 'accepted') throw new Error(`the wallet of ${agentWallet} was not named: ${status}`)
}
