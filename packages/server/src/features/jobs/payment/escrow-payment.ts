import { AppError, formatMicro, invalidField, type SignedAuthorization } from '@agent-marketplace/contract'
import type { Budgets } from '../../../house/budgets.ts'
import { DEPLOYMENT_GAS, type Deployment } from '../../../house/deployments.ts'
import { SETTLEMENT_WAIT_MS } from '../../../house/payments.ts'
import { takeSteps } from '../../../house/steps.ts'
import type { Intents } from '../../../money/intents/intents.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import type { Ask } from '../lifecycle/actions.ts'
import type { JudgeDeps } from '../lifecycle/decisions.ts'
import { termsOf } from '../lifecycle/escrow-terms.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { wrongState } from '../lifecycle/moves/conditions.ts'
import { DEPLOY_CLIENT, type EscrowOrder, isDeposit, orderOf, readOrder } from '../lifecycle/orders.ts'
import { findJob, saveJob } from '../lifecycle/store.ts'
import { asHex, createDepositTrial, TAKEN, type TrialChain } from './deposit-trial.ts'
import { lockForPayment, spendOf } from './payable.ts'

/** What a job uses from the deposit to the payout and its review: what follows the deposit is never refused. */
const CHARGED_GAS = 1_000_000n

export interface EscrowPaymentDeps extends JudgeDeps {
  db: Database
  chain: TrialChain & Pick<ChainPort, 'reader'>
  intents: Pick<Intents, 'create' | 'find' | 'waitFor'>
  /** Reads the chain up to its head now, so that what is mined is known. */
  followChain: () => Promise<void>
  budgets: Budgets
  settlementWaitMs?: number
}

export type PaymentResult = 'SETTLED' | 'PENDING'

/**
 * Deposits. The client's signature names the job's key, which the token takes once: however often it is sent, and by
 * whom, the job is funded once. While one deposit is under way everybody waits for that one.
 */
export function createEscrowPayments(deps: EscrowPaymentDeps) {
  const { db, chain, intents, settlementWaitMs = SETTLEMENT_WAIT_MS } = deps
  const trial = createDepositTrial(deps)

  async function conclude(intentKey: string, job: JobRow): Promise<PaymentResult> {
    const intent = await intents.find(db, intentKey)
    if (!intent) throw new Error(`there is no intent ${intentKey}`)
    const { status, reason } = await intents.waitFor(intent.id, settlementWaitMs)
    if (status === 'REJECTED') throw await trial.refusalOf(reason ?? 'unknown', job)
    return status === 'SETTLED' ? 'SETTLED' : 'PENDING'
  }

  /** The key of the intent that pays: a new one, or the one that is under way. */
  async function orderDeposit(tx: Transaction, ask: Ask, signed: SignedAuthorization): Promise<string> {
    const job = await lockForPayment(tx, deps, ask)
    const underWay = job.openIntents.find(isDeposit)
    if (underWay !== undefined) return underWay
    if (ask.budget) await deps.budgets.takePayment(tx, spendOf(job, ask.budget.id))
    return placeDeposit(tx, job, signed, ask.requestId)
  }

  /** Orders the deposit of a job that this transaction has made or locked. */
  async function placeDeposit(
    tx: Transaction,
    job: JobRow,
    signed: SignedAuthorization,
    requestId: string | null,
  ): Promise<string> {
    const numbered = { ...job, decisions: job.decisions + 1 }
    const order = orderOf('escrow.deposit', numbered, requestId, { deposit: depositOf(job, signed) })
    const { deployment } = chain.readSignature(signed.signature)
    if (deployment) {
      const payload: Deployment = { to: deployment.to, data: deployment.data }
      await intents.create(tx, {
        ...order,
        kind: DEPLOY_CLIENT,
        key: `${DEPLOY_CLIENT}:${order.key}`,
        payload,
      })
    }
    const gas = CHARGED_GAS + (deployment ? DEPLOYMENT_GAS : 0n)
    await intents.create(tx, { ...order, charge: { account: job.clientId, gas } })
    await saveJob(tx, {
      ...numbered,
      openIntents: [...job.openIntents, order.key],
      depositIntent: order.key,
    })
    return order.key
  }

  function depositOf(
    job: JobRow,
    { authorization, signature: signed }: SignedAuthorization,
  ): EscrowOrder['deposit'] {
    const { amountMicro, ...terms } = termsOf(job, chain)
    const { validAfter, validBefore } = authorization
    const { signature } = chain.readSignature(signed)
    return { validAfter, validBefore, signature, terms: { ...terms, amount: formatMicro(amountMicro) } }
  }

  /** Whether this very signature has already paid, so that a repeated call gets the response of the first one. */
  async function isPaidBy(job: JobRow, { signature }: SignedAuthorization): Promise<boolean> {
    if (job.depositIntent === null) return false
    const intent = await intents.find(db, job.depositIntent)
    return (
      intent?.status === 'SETTLED' &&
      readOrder(intent.payload).deposit?.signature === chain.readSignature(signature).signature
    )
  }

  /**
   * Whether the escrow holds the deposit although ours was refused: the client's signature can be carried by anybody who
   * has seen it, and funds this job all the same.
   */
  async function isCarriedByOthers(jobId: string): Promise<boolean> {
    await deps.followChain()
    const job = await findJob(db, jobId)
    if (!job?.escrowFacts || job.escrowFacts.state === 'UNFUNDED') return false
    if (job.status === 'CANCELLED') {
      throw wrongState('CANCELLED', ['PENDING'], 'The job was cancelled before; the deposit goes back.')
    }
    const own = job.depositIntent === null ? undefined : await intents.find(db, job.depositIntent)
    return own?.status !== 'SETTLED'
  }

  async function payOnce(ask: Ask, job: JobRow, signed: SignedAuthorization): Promise<PaymentResult> {
    try {
      return await takeSteps(db, {
        async prepare() {
          const mayBeNew = job.status === 'PENDING' && !job.openIntents.some(isDeposit)
          if (mayBeNew && (await trial.run(job, signed)) === 'TAKEN') throw await trial.refusalOf(TAKEN, job)
        },
        decide: (tx) => orderDeposit(tx, ask, signed),
        conclude: (_, intentKey) => conclude(intentKey, job),
      })
    } catch (refusal) {
      // A twin may have paid since the job was read. Then its deposit counts, and not that a second one is refused.
      const now = await findJob(db, job.id)
      if (!now) throw refusal
      if (await isPaidBy(now, signed)) return 'SETTLED'
      const underWay = now.openIntents.find(isDeposit)
      if (underWay === undefined) throw refusal
      return conclude(underWay, now)
    }
  }

  return {
    placeDeposit,

    /**
     * For a job that is about to be made. One that a twin of the call has made meanwhile is not judged by the trial. TAKEN:
     * the escrow holds its deposit already.
     */
    async tryDeposit(job: JobRow, signed: SignedAuthorization): Promise<'FREE' | 'TAKEN'> {
      trial.checkFields(job, signed)
      try {
        return await trial.run(job, signed)
      } catch (refusal) {
        if (!(await findJob(db, job.id))) throw refusal
        return 'FREE'
      }
    },

    async payWithAuthorization(ask: Ask, job: JobRow, signed: SignedAuthorization): Promise<PaymentResult> {
      trial.checkFields(job, signed)
      if (await isPaidBy(job, signed)) return 'SETTLED'
      try {
        return await payOnce(ask, job, signed)
      } catch (refusal) {
        if (isRefusal(refusal) && (await isCarriedByOthers(job.id))) return 'SETTLED'
        throw refusal
      }
    },

    /** A deposit that the client made itself. The indexer alone writes it down; here it is only looked for. */
    async payWithTransaction(job: JobRow, txHash: string): Promise<PaymentResult> {
      const outcome = await chain.reader.getOutcome(asHex(txHash))
      if (outcome.status === 'pending') return 'PENDING'
      if (outcome.status !== 'success')
        throw invalidField('txHash', 'is not a transaction that succeeded on this chain')
      const funds = outcome.events.some((event) => event.name === 'JobFunded' && event.key === job.escrowKey)
      if (!funds) throw invalidField('txHash', 'does not fund this job in the escrow')
      await deps.followChain()
      const now = await findJob(db, job.id)
      if (now?.status === 'CANCELLED') {
        throw wrongState('CANCELLED', ['PENDING'], 'The job was cancelled before; the deposit goes back.')
      }
      return now?.escrowFacts?.state === 'UNFUNDED' ? 'PENDING' : 'SETTLED'
    },
  }
}

/** Of the job or of the escrow, and not of what was sent. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'CONFLICT' || error.code === 'INVALID_STATE')

export type EscrowPayments = ReturnType<typeof createEscrowPayments>
