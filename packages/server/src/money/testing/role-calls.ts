import { buildSafeTransaction, escrowAbi, getSafeState, prepareSafeExecution } from '@agent-marketplace/chain'
import { encodeFunctionData } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { EscrowRole, Hex, PreparedCall } from '../../ports/chain/port.ts'
import type { ChaosChain } from './chaos-chain.ts'

const proposals = {
  operator: 'proposeOperator',
  arbiter: 'proposeArbiter',
  treasury: 'proposeTreasury',
} as const
const acceptances = {
  operator: 'acceptOperator',
  arbiter: 'acceptArbiter',
  treasury: 'acceptTreasury',
} as const

/** The present holder names its successor. */
export const proposeRole = (escrow: Hex, role: EscrowRole, proposed: Hex): PreparedCall => ({
  to: escrow,
  data: encodeFunctionData({ abi: escrowAbi, functionName: proposals[role], args: [proposed] }),
  value: 0n,
})

/** The successor takes over. */
export const acceptRole = (escrow: Hex, role: EscrowRole): PreparedCall => ({
  to: escrow,
  data: encodeFunctionData({ abi: escrowAbi, functionName: acceptances[role] }),
  value: 0n,
})

/** What the Safe does when two of its owners agree. Anyone may send it. */
export async function asArbiter(
  { chain, client, roles, addresses }: ChaosChain,
  call: PreparedCall,
): Promise<PreparedCall> {
  const safe = addresses.arbiter
  const { nonce } = await getSafeState(client, { safe })
  const transaction = buildSafeTransaction({ chainId: chain.facts.chainId, safe, call, nonce })
  const owners: PrivateKeyAccount[] = [roles.safeOwner1, roles.safeOwner2]
  const signatures = await Promise.all(
    owners.map(async (owner) => ({
      owner: owner.address,
      signature: await owner.signTypedData(transaction),
    })),
  )
  return prepareSafeExecution({ transaction, signatures })
}
