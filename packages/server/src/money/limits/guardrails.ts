import { AppError, formatMicro } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import { checkGuardrails, type Guardrails, type Spend } from './guardrail-rules.ts'

/** A session is the 24 hours that end now, on the business clock: what was spent leaves the count a day later. */
const SESSION_SECONDS = 24 * 3600

/** Which spends the chain's balance may not show yet. Taken before the balance is read, never after. */
export interface SpendMark {
  lastSeq: bigint
  openIds: string[]
}

export function markSpends(db: Queryable, agentId: string): Promise<SpendMark> {
  return db.one(sql`
    select
      (select coalesce(max(seq), 0) from agent_spends where agent_id = ${agentId}) as "lastSeq",
      array(select id from agent_spends where agent_id = ${agentId} and status = 'RESERVED') as "openIds"`)
}

export interface SpendRequest extends Spend {
  /** Unique forever: one id is one spend. */
  id: string
  agentId: string
  purpose: string
  guardrails: Guardrails
  /** What the wallet holds by the chain, and the mark taken before it was asked. */
  holdings: { balanceMicro: bigint; mark: SpendMark }
  now: Date
}

/**
 * Sets an amount of the agent's wallet aside, in the transaction that decides to spend it. Spends of one agent wait for
 * each other here, so two at once never pass a cap or a balance that has room for one. FORBIDDEN beyond a guardrail,
 * INSUFFICIENT_BALANCE beyond what the wallet holds and has not promised already.
 */
export async function reserveSpend(tx: Transaction, request: SpendRequest): Promise<void> {
  const { id, agentId, purpose, guardrails, amountMicro, holdings, now } = request
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`agent-spends:${agentId}`}, 0))`)
  const { spentMicro, promisedMicro } = await countSpends(tx, request)
  checkGuardrails(guardrails, request, spentMicro)
  const availableMicro = holdings.balanceMicro - promisedMicro
  if (amountMicro > availableMicro) {
    throw new AppError('INSUFFICIENT_BALANCE', {
      message: 'The amount exceeds the wallet’s balance minus pending withdrawals.',
      details: {
        available: formatMicro(availableMicro > 0n ? availableMicro : 0n),
        required: formatMicro(amountMicro),
      },
    })
  }
  await tx.run(sql`
    insert into agent_spends (id, agent_id, purpose, amount_micro, reserved_at)
    values (${id}, ${agentId}, ${purpose}, ${amountMicro}, ${now})`)
}

/** What the session has used up, and what the balance, as old as its mark, does not show as gone. */
function countSpends(
  tx: Transaction,
  { agentId, holdings: { mark }, now }: SpendRequest,
): Promise<{ spentMicro: bigint; promisedMicro: bigint }> {
  const sessionStart = new Date(now.getTime() - SESSION_SECONDS * 1000)
  return tx.one(sql`
    select
      (select coalesce(sum(amount_micro), 0) from agent_spends
        where agent_id = ${agentId} and status <> 'RELEASED' and reserved_at > ${sessionStart}) as "spentMicro",
      (select coalesce(sum(amount_micro), 0) from agent_spends
        where agent_id = ${agentId} and status <> 'RELEASED'
          and (status = 'RESERVED' or seq > ${mark.lastSeq} or id = any(${mark.openIds}))) as "promisedMicro"`)
}

export type SpendStatus = 'RESERVED' | 'SPENT' | 'RELEASED'

/** Follows the chain: SPENT when it moved, RELEASED when it never will, RESERVED again when a fork took that back. */
export async function saveSpendStatus(tx: Transaction, id: string, status: SpendStatus): Promise<void> {
  await tx.run(sql`update agent_spends set status = ${status} where id = ${id}`)
}

/** Pending withdrawals of each agent's wallet; agents without any are left out. */
export async function reservedByAgent(
  db: Queryable,
  agentIds: readonly string[],
): Promise<Map<string, bigint>> {
  const rows = await db.rows<{ agentId: string; amountMicro: bigint }>(sql`
    select agent_id, sum(amount_micro) as "amountMicro" from agent_spends
    where agent_id = any(${agentIds}) and status = 'RESERVED' group by agent_id`)
  return new Map(rows.map(({ agentId, amountMicro }) => [agentId, amountMicro]))
}
