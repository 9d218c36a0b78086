import { escrowAccount } from '../../money/accounts.ts'
import { type IntentKind, IntentRejected } from '../../money/intents.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { EscrowCalls, Hex, PreparedCall } from '../../ports/chain/port.ts'
import { noticeTo } from './announcements.ts'
import type { DecisionDeps } from './decisions.ts'
import { insertEvent } from './history-store.ts'
import type { JobRow } from './job.ts'
import { EscrowOrder, isDeposit } from './orders.ts'
import { lockJob } from './store.ts'
import { type EscrowEffect, escrowEffects } from './transitions.ts'
import { storeTruth } from './truth.ts'

export interface IntentKindsDeps extends Pick<DecisionDeps, 'clock' | 'newId' | 'notify'> {
  escrow: EscrowCalls
}

/** More than any of these calls takes; a deposit may have to ask a smart account, so its gas is searched for. */
const GAS_LIMIT = 300_000n

const paysSeller = (effect: EscrowEffect): boolean =>
  effect === 'escrow.release' || effect === 'escrow.acceptSettlement'

const without = (open: string[], key: string): string[] => open.filter((one) => one !== key)

/** One kind for each call that the operator makes in the escrow. */
export function jobsIntentKinds(deps: IntentKindsDeps): IntentKind<EscrowOrder>[] {
  return escrowEffects.map((effect) => ({
    kind: effect,
    payload: EscrowOrder,
    sender: 'operator',
    amountMicro: ({ amount }) => BigInt(amount),
    ...(paysSeller(effect) ? { paysFrom: ({ key }: EscrowOrder) => escrowAccount(key) } : {}),
    ...(effect === 'escrow.deposit' ? {} : { gasLimit: GAS_LIMIT }),
    prepare: async (order) => prepare(deps.escrow, effect, order),
    async onSettled(tx, { key }, { jobId }) {
      await changeOpen(tx, deps, jobId, (open) => without(open, key))
    },
    async onReverted(tx, { key }, { jobId }) {
      await changeOpen(tx, deps, jobId, (open) => [...without(open, key), key])
    },
    async onRejected(tx, { key }, { jobId }, reason) {
      const job = await changeOpen(tx, deps, jobId, (open) => without(open, key))
      await tellRefusal(tx, deps, job, { key, reason })
    },
  }))
}

function prepare(escrow: EscrowCalls, effect: EscrowEffect, order: EscrowOrder): PreparedCall {
  const key = asHex(order.key)
  const party = () => required(order, 'onBehalfOf')
  const sellerBps = () => required(order, 'sellerBps')
  switch (effect) {
    case 'escrow.deposit': {
      const { terms, validAfter, validBefore, signature } = required(order, 'deposit')
      return escrow.depositWithAuthorization({
        terms: {
          jobRef: asHex(terms.jobRef),
          client: asHex(terms.client),
          seller: asHex(terms.seller),
          agentWallet: asHex(terms.agentWallet),
          amountMicro: BigInt(terms.amount),
          deadline: terms.deadline,
        },
        validAfter: BigInt(validAfter),
        validBefore: BigInt(validBefore),
        signature: asHex(signature),
      })
    }
    case 'escrow.submit':
      return escrow.submit({ key, deliveryHash: asHex(required(order, 'deliveryHash')) })
    case 'escrow.requestChanges':
      return escrow.requestChanges({ key })
    case 'escrow.release':
      return escrow.release({ key })
    case 'escrow.refund':
      return escrow.refund({ key })
    case 'escrow.claimMissedDeadline':
      return escrow.claimMissedDeadline({ key })
    case 'escrow.openDispute':
      return escrow.openDispute({ key, onBehalfOf: party() })
    case 'escrow.proposeSettlement':
      return escrow.proposeSettlement({ key, onBehalfOf: party(), sellerBps: sellerBps() })
    case 'escrow.acceptSettlement':
      return escrow.acceptSettlement({ key, onBehalfOf: party(), sellerBps: sellerBps() })
    case 'escrow.refundUndecided':
      return escrow.refundUndecided({ key })
  }
}

/** The schema has checked that it is hex. */
const asHex = (text: string): Hex => `0x${text.slice(2)}`

function required<Name extends keyof EscrowOrder>(
  order: EscrowOrder,
  name: Name,
): NonNullable<EscrowOrder[Name]> {
  const value = order[name]
  if (value === undefined) throw new IntentRejected(`the order says nothing of ${name}`)
  return value
}

async function changeOpen(
  tx: Transaction,
  { clock }: IntentKindsDeps,
  jobId: string,
  change: (open: string[]) => string[],
): Promise<JobRow> {
  const job = await lockJob(tx, jobId)
  if (!job) throw new Error(`there is no job ${jobId}`)
  return storeTruth(tx, { ...job, open_intents: change(job.open_intents) }, clock.now())
}

/** The chain would not do it: the job is where the chain has it, and both sides must know. */
async function tellRefusal(
  tx: Transaction,
  { newId, clock, notify }: IntentKindsDeps,
  job: JobRow,
  { key, reason }: { key: string; reason: string },
): Promise<void> {
  const type = isDeposit(key) ? 'PAYMENT_REFUSED' : 'ESCROW_REFUSED'
  const message = `The escrow refused ${key.split(':')[0]?.replace('escrow.', '')}: ${reason}.`
  await insertEvent(tx, { id: newId(), jobId: job.id, type, actor: 'PLATFORM', message, at: clock.now() })
  const told = isDeposit(key)
    ? ({ type: 'PAYMENT_FAILED', title: 'Payment refused', message } as const)
    : ({ type: 'SYSTEM_ALERT', title: 'The escrow refused a step', message } as const)
  const sides = isDeposit(key) ? (['CLIENT'] as const) : (['CLIENT', 'SELLER'] as const)
  await notify(tx, ...sides.map((side) => noticeTo(job, side, told)))
}
