import type { JobParty, NotificationType, TimelineType } from '@agent-marketplace/contract'
import type { Transaction } from '../../../platform/db/transaction.ts'
import { noticesOf, noticeTo, usdc } from '../lifecycle/announcements.ts'
import type { DecisionDeps } from '../lifecycle/decisions.ts'
import { closedStateOf, type JobEvent, shareOf, sideOf } from '../lifecycle/escrow-facts.ts'
import type { JobRow } from '../lifecycle/job.ts'
import { isHeld } from '../lifecycle/timeline-store.ts'

/** Who of the two was not paid, because the token refuses them. */
export interface Held {
  seller: boolean
  client: boolean
}

export async function heldIn(tx: Transaction, event: JobEvent, job: JobRow): Promise<Held> {
  if (event.name !== 'JobClosed') return { seller: false, client: false }
  const { sellerNetMicro, refundedMicro } = event
  return {
    seller: await isHeld(tx, event, { recipient: job.agentWallet, amountMicro: sellerNetMicro }),
    client: await isHeld(tx, event, { recipient: job.clientWallet, amountMicro: refundedMicro }),
  }
}

type Line = { type: TimelineType; actor: JobParty; message: string }

/** The timeline text of a chain event. */
export function lineOf(event: JobEvent, job: JobRow, held: Held): Line {
  switch (event.name) {
    case 'JobFunded':
      return line('JOB_FUNDED', 'CLIENT', `The escrow holds ${usdc(event.terms.amountMicro)}.`)
    case 'WorkSubmitted':
      return line('ESCROW_SUBMITTED', 'SELLER', 'The delivery is recorded on chain.')
    case 'ChangesRequested':
      return line('ESCROW_CHANGES_REQUESTED', 'CLIENT', 'The request for changes is recorded on chain.')
    case 'DisputeOpened':
      return line('ESCROW_DISPUTED', sideOf(event.by), 'The dispute is recorded on chain.')
    case 'SettlementProposed': {
      const percent = event.sellerBps / 100
      return line(
        'ESCROW_OFFER',
        sideOf(event.by),
        `An offer of ${percent}% for the seller is recorded on chain.`,
      )
    }
    case 'OperatorDisabled':
      return line('OPERATOR_DISABLED', sideOf(event.party), 'This side acts from its own wallet from now on.')
    case 'JobClosed': {
      const share = shareOf(event.sellerNetMicro + event.feeMicro, job.priceMicro) / 100
      const toAgent = held.seller ? 'held for the agent to claim' : 'to the agent'
      const back = held.client ? 'held for the client to claim' : 'back to the client'
      const parts = [
        { micro: event.sellerNetMicro, words: toAgent },
        { micro: event.feeMicro, words: 'fee' },
        { micro: event.refundedMicro, words: back },
      ].filter(({ micro }) => micro > 0n)
      const sums = parts.map(({ micro, words }) => `${usdc(micro)} ${words}`).join(', ')
      const actor = event.outcome === 'ruled' ? 'ARBITER' : 'PLATFORM'
      return line(`ESCROW_${closedStateOf(event)}`, actor, `Paid out (${share}% to the seller): ${sums}.`)
    }
  }
}

const line = (type: TimelineType, actor: JobParty, message: string): Line => ({ type, actor, message })

const newsOf: Partial<Record<JobRow['status'], NotificationType>> = {
  UNDER_REVIEW: 'JOB_DELIVERED',
  IN_PROGRESS: 'CHANGES_REQUESTED',
  DISPUTED: 'JOB_DISPUTED',
  COMPLETED: 'JOB_COMPLETED',
  CANCELLED: 'JOB_CANCELLED',
}

/** Decisions were announced when made; these are payments that arrived, and what a party did directly on chain. */
export async function notifyParties(
  tx: Transaction,
  { notify }: Pick<DecisionDeps, 'notify'>,
  { before, now, event, held }: { before: JobRow; now: JobRow; event: JobEvent; held: Held },
): Promise<void> {
  if (event.name === 'JobFunded') {
    if (before.status === 'CANCELLED') return
    if (now.status === 'CANCELLED') {
      const message = 'It was paid before the seller accepted it. The deposit goes back.'
      const words = { type: 'JOB_CANCELLED', title: 'Job cancelled', message } as const
      await notify(tx, ...noticesOf(now, 'PLATFORM', words))
      return
    }
    const message = `The escrow holds ${usdc(now.priceMicro)}. You can begin.`
    await notify(tx, noticeTo(now, 'SELLER', { type: 'JOB_FUNDED', title: 'Job paid', message }))
    return
  }
  const notices = []
  const type = now.status === before.status ? undefined : newsOf[now.status]
  if (type !== undefined) {
    const message = `On chain the job has become ${now.status}.`
    notices.push(...noticesOf(now, 'PLATFORM', { type, title: 'Job changed on chain', message }))
  }
  if (event.name === 'JobClosed') {
    const paid = (side: 'CLIENT' | 'SELLER', amountMicro: bigint, message: string) =>
      amountMicro > 0n
        ? [noticeTo(now, side, { type: 'PAYMENT_RECEIVED', title: 'Payment received', message })]
        : []
    notices.push(
      ...paid(
        'SELLER',
        held.seller ? 0n : event.sellerNetMicro,
        `${usdc(event.sellerNetMicro)} went to the agent’s wallet.`,
      ),
      ...paid(
        'CLIENT',
        held.client ? 0n : event.refundedMicro,
        `${usdc(event.refundedMicro)} came back to your wallet.`,
      ),
    )
  }
  await notify(tx, ...notices)
}
