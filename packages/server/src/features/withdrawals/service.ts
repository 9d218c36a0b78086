import { type AdminWithdrawal, AppError } from '@agent-marketplace/contract'
import type { Steps } from '../../house/steps.ts'
import { createAccountOf } from '../../money/books/accounts.ts'
import { balanceOf } from '../../money/books/journal.ts'
import type { Intents } from '../../money/intents/intents.ts'
import { waitsForFinality } from '../../money/intents/kinds.ts'
import type { Guardrails } from '../../money/limits/guardrail-rules.ts'
import { markSpends, reservedByAgent, reserveSpend, type SpendMark } from '../../money/limits/guardrails.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { NewId } from '../../platform/id/id.ts'
import type { Notify } from '../../platform/notices/notice.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import { requestedNotice } from './notices.ts'
import type { WithdrawalPayload } from './payload.ts'
import { presentWithdrawal } from './present.ts'
import { intentKeyOf, laneOf } from './rules.ts'
import {
  countWithdrawals,
  findWithdrawal,
  insertWithdrawal,
  listWithdrawals,
  type WithdrawalFilter,
  type WithdrawalRow,
} from './store.ts'

/** An agent as withdrawals need it: the owner of the paying wallet, the name its keys are stored under, and its limits. */
export interface WithdrawalAgent {
  id: string
  name: string
  walletAddress: string
  walletId: string
  guardrails: Guardrails
}

/**
 * From an agent's wallet to its owner's own, and refunds to the wallet that paid for a job. It promises: a withdrawal moves its amount once or not at all; nothing is
 * promised that the wallet does not hold or its guardrails forbid, also not by many at once; a withdrawal that failed
 * has moved nothing and is free to be requested again.
 */
export interface WithdrawalsDeps {
  db: Database
  clock: Clock
  newId: NewId
  chain: Pick<ChainPort, 'facts' | 'usdc' | 'checksumAddress'>
  intents: Pick<Intents, 'create' | 'kick'>
  /** Undefined unless the agent is this owner's. */
  agentOf: (db: Queryable, agentId: string, ownerId: string) => Promise<WithdrawalAgent | undefined>
  walletOf: (db: Queryable, ownerId: string) => Promise<string>
  notify: Notify
}

export interface WithdrawalRequest {
  ownerId: string
  agentId: string
  amountMicro: bigint
  requestId: string | null
  /** The job whose price goes back to its payer; without it the owner's own wallet gets the amount. */
  refund?: { jobId: string; to: string } | undefined
}

/** What the wallet held before the decision, and up to which spend that is known. */
interface Holdings {
  balanceMicro: bigint
  mark: SpendMark
}

const CHARGED_GAS = 150_000n

export function createWithdrawalsService(deps: WithdrawalsDeps) {
  const { db, clock, newId, chain, intents } = deps
  const accountOf = createAccountOf(chain.facts)

  /** A large amount waits for the blocks in which it came: those that the books have not read are not known yet. */
  const checkRead = async (tx: Transaction, { id, walletAddress }: WithdrawalAgent): Promise<void> => {
    const reservedMicro = (await reservedByAgent(tx, [id])).get(id) ?? 0n
    if ((await balanceOf(tx, accountOf(walletAddress))) >= reservedMicro) return
    throw new AppError('UNAVAILABLE', {
      message: 'Money that has just arrived in this wallet is still being confirmed. Try again in a minute.',
    })
  }

  const ownAgent = async (
    queryable: Queryable,
    agentId: string,
    ownerId: string,
  ): Promise<WithdrawalAgent> => {
    const agent = await deps.agentOf(queryable, agentId, ownerId)
    if (agent === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such agent.' })
    return agent
  }

  async function page(filter: WithdrawalFilter): Promise<{ rows: WithdrawalRow[]; total: number }> {
    const [rows, total] = await Promise.all([listWithdrawals(db, filter), countWithdrawals(db, filter)])
    return { rows, total }
  }

  async function readHoldings({ agentId, ownerId }: WithdrawalRequest): Promise<Holdings> {
    const agent = await ownAgent(db, agentId, ownerId)
    const mark = await markSpends(db, agent.id)
    return { balanceMicro: await readBalance(chain, agent.walletAddress), mark }
  }

  /** Withdrawal, reservation, intent and notification: all of them or nothing. */
  async function order(
    tx: Transaction,
    request: WithdrawalRequest,
    holdings: Holdings,
  ): Promise<WithdrawalRow> {
    const { ownerId, amountMicro, requestId, refund } = request
    const agent = await ownAgent(tx, request.agentId, ownerId)
    const toAddress = chain.checksumAddress(refund?.to ?? (await deps.walletOf(tx, ownerId)))
    const id = newId()
    const now = clock.now()
    await reserveSpend(tx, {
      id,
      agentId: agent.id,
      purpose: refund ? 'refund' : 'withdrawal',
      amountMicro,
      guardrails: agent.guardrails,
      holdings,
      now,
    })
    if (waitsForFinality(amountMicro)) await checkRead(tx, agent)
    const payload: WithdrawalPayload = {
      withdrawalId: id,
      walletId: agent.walletId,
      from: agent.walletAddress,
      to: toAddress,
      amountMicro: amountMicro.toString(),
    }
    const intent = await intents.create(tx, {
      kind: 'withdrawal',
      key: intentKeyOf(id, 1),
      payload,
      requestId,
      charge: { account: ownerId, gas: CHARGED_GAS },
      ...laneOf(payload.walletId, refund?.jobId ?? null),
    })
    const row = await insertWithdrawal(tx, {
      id,
      ownerId,
      agentId: agent.id,
      jobId: refund?.jobId ?? null,
      toAddress,
      amountMicro,
      intentId: intent.id,
      now,
    })
    if (!refund) await deps.notify(tx, requestedNotice({ ownerId, amountMicro, agentName: agent.name }))
    tx.afterCommit(intents.kick)
    return row
  }

  return {
    withdraw: (request: WithdrawalRequest): Steps<Holdings, WithdrawalRow> => ({
      prepare: () => readHoldings(request),
      decide: (tx, holdings) => order(tx, request, holdings),
    }),

    async find(ownerId: string, id: string): Promise<WithdrawalRow> {
      const row = await findWithdrawal(db, { id, ownerId })
      if (row === undefined) throw new AppError('NOT_FOUND', { message: 'There is no such withdrawal.' })
      return row
    },

    list: (filter: WithdrawalFilter & { ownerId: string }) => page(filter),

    /** For admins. */
    async listAll(filter: WithdrawalFilter): Promise<{ withdrawals: AdminWithdrawal[]; total: number }> {
      const { rows, total } = await page(filter)
      return {
        withdrawals: rows.map((row) => ({ ...presentWithdrawal(row), ownerId: row.ownerId })),
        total,
      }
    },
  }
}

export type WithdrawalsService = ReturnType<typeof createWithdrawalsService>

async function readBalance(chain: Pick<ChainPort, 'usdc'>, walletAddress: string): Promise<bigint> {
  try {
    return await chain.usdc.balanceOf(walletAddress)
  } catch (cause) {
    throw new AppError('UNAVAILABLE', { message: 'The chain is not responding right now.', cause })
  }
}
