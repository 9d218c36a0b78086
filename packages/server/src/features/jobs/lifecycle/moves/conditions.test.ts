import { AppError } from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import { addSeconds } from '../../../../platform/clock/clock.ts'
import { unfunded } from '../escrow-facts.ts'
import type { JobRow } from '../job.ts'
import { nextActionOf } from '../next-action.ts'
import { openJob } from '../open-job.ts'
import type { Hire } from '../rules.ts'
import { allowedActionsOf, permit, type Situation } from './conditions.ts'
import type { Action } from './transitions.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const second = (count: number) => addSeconds(now, count)
const DAY = 24 * 3600

const hire: Hire = {
  agentId: 'agent',
  agentWallet: '0x3',
  agentName: 'Lark',
  approvalStatus: 'APPROVED',
  isPaused: false,
  sellerId: 'seller',
  sellerWallet: '0x2',
  sellerIsActive: true,
  clientWallet: '0x1',
  customOrders: 'INSTANT',
  servicePriceMicro: null,
  serviceDeliveryHours: null,
  serviceTerms: null,
}

function jobWith(changes: Partial<JobRow>): JobRow {
  const given = {
    agentId: 'agent',
    title: 'T',
    description: 'D',
    category: 'general',
    priceMicro: 100_000_000n,
    deadlineAt: null,
    attachments: [],
    serviceId: undefined,
    input: undefined,
    buyerProtection: false,
  }
  const job = openJob('job', given, hire, { clientId: 'client', isVerified: false, now })
  return { ...job, escrowKey: '0xkey', ...changes }
}

/** `yes`, or why not. */
function ask(
  action: Action,
  role: 'CLIENT' | 'SELLER' | 'PLATFORM',
  job: JobRow,
  rest: Partial<Situation> = {},
) {
  try {
    permit(action, {
      job,
      now,
      roles: [role],
      isPaymentUnderWay: false,
      offeredBy: null,
      isDisputeAsked: false,
      review: null,
      ...rest,
    })
    return 'yes'
  } catch (error) {
    return error instanceof AppError ? error.code : error
  }
}

describe('every limit holds to the second', () => {
  test('paying before fundBy, expiring from it on, and neither under a payment', () => {
    for (const [at, pays, expires] of [
      [1, 'yes', 'INVALID_STATE'],
      [0, 'INVALID_STATE', 'yes'],
      [-1, 'INVALID_STATE', 'yes'],
    ] as const) {
      const job = jobWith({ fundBy: second(at) })
      expect([ask('PAY', 'CLIENT', job), ask('EXPIRE', 'PLATFORM', job)]).toEqual([pays, expires])
      for (const [action, role] of [
        ['CANCEL', 'CLIENT'],
        ['DECLINE', 'SELLER'],
        ['EXPIRE', 'PLATFORM'],
      ] as const) {
        expect(ask(action, role, job, { isPaymentUnderWay: true })).toBe('INVALID_STATE')
      }
    }
  })

  test('cancelling an escrow job from 24 hours after the deadline, an x402 job from the deadline on, and never without one', () => {
    for (const [rail, dueAt, answer] of [
      ['ESCROW', second(-DAY), 'yes'],
      ['ESCROW', second(-DAY + 1), 'INVALID_STATE'],
      ['X402', now, 'yes'],
      ['X402', second(1), 'INVALID_STATE'],
      ['ESCROW', null, 'INVALID_STATE'],
      ['X402', null, 'INVALID_STATE'],
    ] as const) {
      const job = jobWith({ status: 'IN_PROGRESS', paymentMethod: rail, dueAt })
      expect(ask('CANCEL', 'CLIENT', job), `${rail} ${dueAt?.toISOString()}`).toBe(answer)
    }
  })

  test('the review window: the client acts before its end, the clock from its end', () => {
    for (const [at, client, clock] of [
      [1, 'yes', 'INVALID_STATE'],
      [0, 'INVALID_STATE', 'yes'],
    ] as const) {
      const job = jobWith({ status: 'UNDER_REVIEW', reviewEndsAt: second(at) })
      expect(ask('REQUEST_CHANGES', 'CLIENT', job)).toBe(client)
      expect(ask('DISPUTE', 'SELLER', job)).toBe(client)
      expect(ask('APPROVE', 'CLIENT', job)).toBe('yes')
      expect(ask('AUTO_RELEASE', 'PLATFORM', job)).toBe(clock)
      // Until the chain has taken the delivery, its window has not begun.
      expect(ask('AUTO_RELEASE', 'PLATFORM', { ...job, openIntents: ['escrow.submit:job:1'] })).toBe(
        'INVALID_STATE',
      )
    }
  })

  test('two requests for changes at most', () => {
    const responses = [0, 1, 2].map((changeRequests) =>
      ask(
        'REQUEST_CHANGES',
        'CLIENT',
        jobWith({ status: 'UNDER_REVIEW', reviewEndsAt: second(1), changeRequests }),
      ),
    )
    expect(responses).toEqual(['yes', 'yes', 'INVALID_STATE'])
  })

  test('a dispute: decisions before its end, the refund from its end; an offer is accepted by the other side', () => {
    const job = jobWith({ status: 'DISPUTED', undecidedAt: second(1) })
    const over = jobWith({ status: 'DISPUTED', undecidedAt: second(0) })
    expect([ask('OFFER_SETTLEMENT', 'CLIENT', job), ask('LAPSE', 'PLATFORM', job)]).toEqual([
      'yes',
      'INVALID_STATE',
    ])
    expect([ask('OFFER_SETTLEMENT', 'CLIENT', over), ask('LAPSE', 'PLATFORM', over)]).toEqual([
      'INVALID_STATE',
      'yes',
    ])
    expect(ask('ACCEPT_SETTLEMENT', 'CLIENT', job, { offeredBy: null })).toBe('INVALID_STATE')
    expect(ask('ACCEPT_SETTLEMENT', 'CLIENT', job, { offeredBy: 'CLIENT' })).toBe('INVALID_STATE')
    expect(ask('ACCEPT_SETTLEMENT', 'CLIENT', job, { offeredBy: 'SELLER' })).toBe('yes')
  })
})

test('an owner who hired their own agent acts for both sides, and accepts an offer as the other side', () => {
  const job = jobWith({ status: 'DISPUTED', undecidedAt: second(1), sellerId: 'client' })
  for (const [offeredBy, actor] of [
    ['CLIENT', 'SELLER'],
    ['SELLER', 'CLIENT'],
  ] as const) {
    const roles = ['CLIENT', 'SELLER'] as const
    const situation = {
      job,
      now,
      roles,
      isPaymentUnderWay: false,
      isDisputeAsked: false,
      offeredBy,
      review: null,
    }
    expect(permit('ACCEPT_SETTLEMENT', situation).actor).toBe(actor)
  }
})

test('“not delivered” gives way to a review of the work where that came in time, and never to another of its kind', () => {
  const review = { kind: 'NOT_DELIVERED', reply: null } as const
  const delivered = (at: number) =>
    jobWith({ paymentMethod: 'X402', status: 'COMPLETED', endedAt: second(at), owedAt: second(1) })
  expect(ask('REVIEW', 'CLIENT', delivered(1), { review })).toBe('yes')
  expect(ask('REVIEW', 'CLIENT', delivered(2), { review })).toBe('CONFLICT')
  const called = { ...delivered(1), status: 'CANCELLED', paidAt: second(0) } as const
  expect(ask('REVIEW', 'CLIENT', called, { review })).toBe('CONFLICT')
})

test('a job has one review, and the review one reply', () => {
  const job = jobWith({ status: 'COMPLETED' })
  for (const [review, reviewing, replying] of [
    [null, 'yes', 'CONFLICT'],
    [{ kind: 'WORK', reply: null }, 'CONFLICT', 'yes'],
    [{ kind: 'WORK', reply: 'Thank you.' }, 'CONFLICT', 'CONFLICT'],
  ] as const) {
    expect(ask('REVIEW', 'CLIENT', job, { review })).toBe(reviewing)
    expect(ask('REPLY_TO_REVIEW', 'SELLER', job, { review })).toBe(replying)
  }
})

test('what is allowed leaves out what the operator may not send for a party', () => {
  const job = jobWith({ status: 'UNDER_REVIEW', reviewEndsAt: second(1) })
  const allowed = (roles: Situation['roles'], escrowFacts = unfunded) =>
    allowedActionsOf({
      job: { ...job, escrowFacts },
      now,
      roles,
      isPaymentUnderWay: false,
      offeredBy: null,
      isDisputeAsked: false,
      review: null,
    })
  expect(allowed(['CLIENT'])).toEqual(['REQUEST_CHANGES', 'APPROVE', 'DISPUTE', 'MESSAGE'])
  expect(allowed(['SELLER'])).toEqual(['REFUND', 'DISPUTE', 'MESSAGE'])
  expect(allowed([])).toEqual([])
  expect(allowed(['CLIENT'], { ...unfunded, actsAlone: ['CLIENT'] })).toEqual(['MESSAGE'])
  expect(allowed(['SELLER'], { ...unfunded, actsAlone: ['CLIENT'] })).toEqual([
    'REFUND',
    'DISPUTE',
    'MESSAGE',
  ])
})

test('whose turn it is follows from the status', () => {
  const facts = { ...unfunded }
  const turns = (
    ['PENDING', 'IN_PROGRESS', 'UNDER_REVIEW', 'DISPUTED', 'COMPLETED', 'CANCELLED'] as const
  ).map((status) => nextActionOf(jobWith({ status, escrowFacts: facts }), null, now)?.action ?? null)
  expect(turns).toEqual(['PAY', 'DELIVER', 'REVIEW', 'RULE', null, null])
  expect(nextActionOf(jobWith({ status: 'DISPUTED' }), 'CLIENT', now)).toMatchObject({
    actor: 'SELLER',
    action: 'ANSWER_SETTLEMENT',
  })
})
