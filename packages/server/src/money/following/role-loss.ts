import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Roles } from '../roles/roles.ts'
import type { MinedOutcome } from './outcomes.ts'

export interface SortedOutcomes {
  /** They say what became of their intents. */
  telling: MinedOutcome[]
  /** They were mined when their key was not the operator any more: they failed for that, and say nothing else. */
  powerless: MinedOutcome[]
}

/**
 * An operator's transaction may be mined after the role was taken from its key. Its intent was not refused; it waits for
 * the role to come back, or for the new key. The books say who the operator was: a failure is judged once they have its
 * block, and until then it is left for the next look.
 */
export async function sortOutcomes(
  mined: readonly MinedOutcome[],
  { roles, bookedTo }: { roles: Pick<Roles, 'holderOf'>; bookedTo: bigint },
): Promise<SortedOutcomes> {
  const telling: MinedOutcome[] = []
  const powerless: MinedOutcome[] = []
  for (const outcome of mined) {
    const isInDoubt = outcome.status === 'reverted' && outcome.senderName === 'operator'
    if (!isInDoubt) telling.push(outcome)
    else if (outcome.blockNumber <= bookedTo) {
      const list = (await wasOperator(roles, outcome)) ? telling : powerless
      list.push(outcome)
    }
  }
  return { telling, powerless }
}

/** Whether the key had the role before its block and after it: within the block it may have lost it at any place. */
async function wasOperator(
  { holderOf }: Pick<Roles, 'holderOf'>,
  { sender, blockNumber }: MinedOutcome,
): Promise<boolean> {
  for (const block of [blockNumber, blockNumber + 1n]) {
    const holder = await holderOf('operator', { blockNumber: block, logIndex: -1 })
    if (holder.toLowerCase() !== sender.toLowerCase()) return false
  }
  return true
}

/** Their nonces are used up and nothing came of them: the intents go out again when somebody may send them. */
export async function freePowerless(
  tx: Transaction,
  chainId: number,
  powerless: readonly MinedOutcome[],
): Promise<string[]> {
  if (powerless.length === 0) return []
  const freed = await tx.rows<{ id: string }>(sql`
    with void as (
      update chain_transactions t set status = 'VOID'
      from unnest(${powerless.map(({ sender }) => sender)}::text[],
        ${powerless.map(({ nonce }) => nonce)}::bigint[]) as p (sender, nonce)
      where t.chain_id = ${chainId} and t.sender = p.sender and t.nonce = p.nonce and t.status = 'OPEN'
      returning t.intent_id
    )
    update intents set status = 'PENDING', claimed_until = null, claim_token = null, tx_hash = null
    from void where intents.id = void.intent_id and intents.status = 'SUBMITTED'
    returning intents.id`)
  return freed.map(({ id }) => id)
}
