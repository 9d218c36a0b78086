import { AppError, formatMicro, invalidField, type SignedAuthorization } from '@agent-marketplace/contract'
import type { Intents } from '../../money/intents.ts'
import type { Database } from '../../platform/db/database.ts'
import type { ChainPort, Hex } from '../../ports/chain/port.ts'
import type { Ask } from './actions.ts'
import { wrongState } from './conditions.ts'
import { type DecisionDeps, lockFor } from './decisions.ts'
import type { JobRow } from './job.ts'
import { type EscrowOrder, isDeposit, orderOf, readOrder } from './orders.ts'
import { termsOf } from './rules.ts'
import { findJob, saveJob } from './store.ts'

/** Calls whose answer is a settlement wait this long for it, and then say that it is pending. */
const SETTLEMENT_WAIT_MS = 20_000

export interface EscrowPaymentDeps extends Pick<DecisionDeps, 'clock' | 'isPaymentUnderWay'> {
  db: Database
  chain: Pick<ChainPort, 'facts' | 'escrow' | 'usdc' | 'relay' | 'reader' | 'checksumAddress'>
  intents: Pick<Intents, 'create' | 'find' | 'waitFor'>
  /** Reads the chain up to its head now, so that what is mined is known. */
  followChain: () => Promise<void>
  settlementWaitMs?: number
}

export type PaymentResult = 'SETTLED' | 'PENDING'

/**
 * Deposits. The client's signature names the job's key, which the token takes once: however often it is sent, and by
 * whom, the job is funded once. While one deposit is under way everybody waits for that one.
 */
export function createEscrowPayments(deps: EscrowPaymentDeps) {
  const { db, chain, intents, settlementWaitMs = SETTLEMENT_WAIT_MS } = deps

  async function conclude(intentKey: string, job: JobRow): Promise<PaymentResult> {
    const intent = await intents.find(db, intentKey)
    if (!intent) throw new Error(`there is no intent ${intentKey}`)
    const { status, reason } = await intents.waitFor(intent.id, settlementWaitMs)
    if (status === 'REJECTED') throw await refusalOf(reason ?? 'unknown', job)
    return status === 'SETTLED' ? 'SETTLED' : 'PENDING'
  }

  async function refusalOf(reason: string, job: JobRow): Promise<AppError> {
    if (/exceeds balance/i.test(reason)) {
      const available = await chain.usdc.balanceOf(job.client_wallet)
      return new AppError('INSUFFICIENT_BALANCE', {
        details: { available: formatMicro(available), required: formatMicro(job.price_micro) },
      })
    }
    if (/signature/i.test(reason))
      return invalidField('signature', 'is not the client’s for this authorization')
    if (/expired|not yet valid/i.test(reason)) return invalidField('authorization.validBefore', reason)
    return new AppError('CONFLICT', { message: `The escrow refuses this deposit: ${reason}.` })
  }

  /** The chain itself says whether this deposit would go through: signature (also ERC-1271), balance, time and terms. */
  async function tryDeposit(job: JobRow, { authorization, signature }: SignedAuthorization): Promise<void> {
    const call = chain.escrow.depositWithAuthorization({
      terms: termsOf(job, chain),
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      signature: asHex(signature),
    })
    const trial = await chain.relay.simulate({ sender: 'operator', call })
    if (trial.status === 'refused') throw await refusalOf(trial.reason, job)
    if (trial.status === 'unanswered') {
      throw new AppError('UNAVAILABLE', {
        message: 'The chain does not answer right now.',
        cause: trial.cause,
      })
    }
  }

  /** The key of the intent that pays: a new one, or the one that is under way. */
  function orderDeposit(ask: Ask, signed: SignedAuthorization): Promise<string> {
    return db.transaction(async (tx) => {
      const { job } = await lockFor(tx, deps, { ...ask, action: 'pay' })
      const underWay = job.open_intents.find(isDeposit)
      if (underWay !== undefined) return underWay
      const numbered = { ...job, decisions: job.decisions + 1 }
      const order = orderOf('escrow.deposit', numbered, ask.requestId, { deposit: depositOf(job, signed) })
      await intents.create(tx, order)
      await saveJob(tx, {
        ...numbered,
        open_intents: [...job.open_intents, order.key],
        deposit_intent: order.key,
      })
      return order.key
    })
  }

  function depositOf(job: JobRow, { authorization, signature }: SignedAuthorization): EscrowOrder['deposit'] {
    const { amountMicro, ...terms } = termsOf(job, chain)
    const { validAfter, validBefore } = authorization
    return { validAfter, validBefore, signature, terms: { ...terms, amount: formatMicro(amountMicro) } }
  }

  /** Whether this very signature has already paid, so that a repeated call gets the answer of the first one. */
  async function isPaidBy(job: JobRow, { signature }: SignedAuthorization): Promise<boolean> {
    if (job.deposit_intent === null) return false
    const intent = await intents.find(db, job.deposit_intent)
    return intent?.status === 'SETTLED' && readOrder(intent.payload).deposit?.signature === signature
  }

  return {
    async payWithAuthorization(ask: Ask, job: JobRow, signed: SignedAuthorization): Promise<PaymentResult> {
      checkAuthorization(job, signed, chain)
      if (await isPaidBy(job, signed)) return 'SETTLED'
      const mayBeNew = job.status === 'PENDING' && !job.open_intents.some(isDeposit)
      if (mayBeNew) await tryDeposit(job, signed)
      return conclude(await orderDeposit(ask, signed), job)
    },

    /** A deposit that the client made itself. The indexer alone writes it down; here it is only looked for. */
    async payWithTransaction(job: JobRow, txHash: string): Promise<PaymentResult> {
      const outcome = await chain.reader.getOutcome(asHex(txHash))
      if (outcome.status === 'pending') return 'PENDING'
      if (outcome.status !== 'success')
        throw invalidField('txHash', 'is not a transaction that succeeded on this chain')
      const funds = outcome.events.some((event) => event.name === 'JobFunded' && event.key === job.escrow_key)
      if (!funds) throw invalidField('txHash', 'does not fund this job in the escrow')
      await deps.followChain()
      const now = await findJob(db, job.id)
      if (now?.status === 'CANCELLED') {
        throw wrongState('CANCELLED', ['PENDING'], 'The job was cancelled before; the deposit goes back.')
      }
      return now?.escrow_facts?.state === 'UNFUNDED' ? 'PENDING' : 'SETTLED'
    },
  }
}

export type EscrowPayments = ReturnType<typeof createEscrowPayments>

/** The schema has checked that it is hex. */
const asHex = (text: string): Hex => `0x${text.slice(2)}`

const UINT256_LIMIT = 2n ** 256n

/** What was signed must be this job's deposit and nothing else; the field that is not says so. */
function checkAuthorization(
  job: JobRow,
  { authorization, signature }: SignedAuthorization,
  { facts }: Pick<ChainPort, 'facts'>,
): void {
  const expected = {
    from: job.client_wallet,
    to: facts.contracts.escrow,
    value: formatMicro(job.price_micro),
    nonce: job.escrow_key ?? '',
  }
  for (const field of ['from', 'to', 'value', 'nonce'] as const) {
    if (authorization[field].toLowerCase() !== expected[field].toLowerCase()) {
      throw invalidField(`authorization.${field}`, `must be ${expected[field]}, as in paymentInfo.typedData`)
    }
  }
  for (const field of ['validAfter', 'validBefore'] as const) {
    if (BigInt(authorization[field]) >= UINT256_LIMIT)
      throw invalidField(`authorization.${field}`, 'is too large')
  }
  if (signature.length % 2 !== 0) throw invalidField('signature', 'is not a whole number of bytes')
}
