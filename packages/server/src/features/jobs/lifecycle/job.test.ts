import { type JobStatus, jobStatuses } from '@agent-marketplace/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldEvent, isClosed, type JobEvent, shareOf, statusImpliedBy, unfunded } from './escrow-facts.ts'
import { isEnded, type JobRow, withTruth } from './job.ts'

const place = {
  blockNumber: 1n,
  blockHash: '0x1',
  transactionHash: '0x2',
  logIndex: 0,
  key: '0x3',
} as const
const terms = {
  jobRef: '0x1',
  client: '0x1',
  seller: '0x2',
  agentWallet: '0x3',
  amountMicro: 100_000_000n,
  deadline: 0,
} as const
const time = fc.integer({ min: 1, max: 2_000_000_000 })
const side = fc.constantFrom('client' as const, 'seller' as const)
const bps = fc.integer({ min: 0, max: 10_000 })

const anyEvent: fc.Arbitrary<JobEvent> = fc.oneof(
  fc.constant({ ...place, name: 'JobFunded' as const, terms, feeBps: 200 }),
  time.map((reviewEndsAt) => ({
    ...place,
    name: 'WorkSubmitted' as const,
    deliveryHash: '0x4' as const,
    reviewEndsAt,
  })),
  time.map((dueAt) => ({ ...place, name: 'ChangesRequested' as const, count: 1, dueAt })),
  fc
    .tuple(side, time)
    .map(([by, undecidedAt]) => ({ ...place, name: 'DisputeOpened' as const, by, undecidedAt })),
  fc
    .tuple(side, bps)
    .map(([by, sellerBps]) => ({ ...place, name: 'SettlementProposed' as const, by, sellerBps })),
  side.map((party) => ({ ...place, name: 'OperatorDisabled' as const, party })),
  fc
    .tuple(
      fc.constantFrom('released' as const, 'refunded' as const, 'settled' as const, 'ruled' as const),
      bps,
    )
    .map(([outcome, share]) => {
      const gross = (100_000_000n * BigInt(share)) / 10_000n
      const feeMicro = gross / 50n
      return {
        ...place,
        name: 'JobClosed' as const,
        outcome,
        sellerNetMicro: gross - feeMicro,
        feeMicro,
        refundedMicro: 100_000_000n - gross,
      }
    }),
)

const at = new Date('2026-11-15T12:00:00.000Z')
const rowWith = (changes: Partial<JobRow>): JobRow =>
  ({
    status: 'PENDING',
    decidedStatus: 'PENDING',
    openIntents: [],
    deadlineAt: null,
    endedAt: null,
    ...changes,
  }) as JobRow

test('an event leaves the facts before it as they were, since a fork may ask for them again', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 12 }), (events) => {
      const history = [unfunded]
      for (const event of events) history.push(foldEvent(history.at(-1) ?? unfunded, event))
      const told = JSON.stringify(history)
      for (const [index, event] of events.entries()) {
        expect(foldEvent(history[index] ?? unfunded, event)).toEqual(history[index + 1])
      }
      expect(JSON.stringify(history)).toBe(told)
    }),
    { seed: 20261115 },
  )
})

test('without an open order the status is what the chain says; with one it is the decision, until the escrow paid out', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 12 }), fc.constantFrom(...jobStatuses), (events, decided) => {
      const facts = events.reduce(foldEvent, unfunded)
      const quiet = withTruth(rowWith({ escrowFacts: facts, decidedStatus: decided }), at)
      expect(quiet.status).toBe(statusImpliedBy(facts, decided))
      const busy = withTruth(rowWith({ escrowFacts: facts, decidedStatus: decided, openIntents: ['x'] }), at)
      expect(busy.status).toBe(isClosed(facts) ? statusImpliedBy(facts, decided) : decided)
      for (const job of [quiet, busy]) {
        expect(job.endedAt !== null).toBe(isEnded(job.status))
        expect(withTruth(job, at)).toEqual(job)
      }
    }),
    { seed: 20261115 },
  )
})

test('an x402 job has no word on the chain: its status stays as decided', () => {
  for (const status of jobStatuses as readonly JobStatus[]) {
    const job = rowWith({ status, escrowFacts: null })
    expect(withTruth(job, at)).toBe(job)
  }
})

test('the share that was paid out is found again from the amount', () => {
  fc.assert(
    fc.property(bps, fc.bigInt({ min: 100_000_000n, max: 10n ** 15n }), (share, price) => {
      expect(shareOf((price * BigInt(share)) / 10_000n, price)).toBe(share)
    }),
    { seed: 20261115 },
  )
})
