import {
  type JobParty,
  type JobStatus,
  jobStatuses,
  partyActions,
  paymentMethods,
} from '@agent-marketplace/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../../../platform/db/sql.ts'
import { createJobCalls, type JobCalls } from '../../testing/job-calls.ts'
import { startJobs, type TestAgent, type TestJobs, type TestOwner } from '../../testing/start-jobs.ts'
import { type EscrowFacts, unfunded } from '../escrow-facts.ts'
import { type Action, type Transition, targetsOf, transitions } from './transitions.ts'

/** Every state × action × role × rail: what the table allows works, and everything else is refused and changes nothing. */

const verbs: Partial<Record<Action, [verb: string, body: object]>> = {
  ACCEPT: ['accept', {}],
  PAY: ['pay', {}],
  CANCEL: ['cancel', {}],
  DECLINE: ['decline', { reason: 'No.' }],
  DELIVER: ['deliver', { deliveryCid: 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy' }],
  REQUEST_CHANGES: ['request-changes', {}],
  APPROVE: ['approve', {}],
  REFUND: ['refund', {}],
  DISPUTE: ['dispute', { reason: 'Half is missing.' }],
  ADD_EVIDENCE: ['dispute/evidence', { reason: 'See the list.', evidence: ['ipfs://bafkreigh2akiscai'] }],
  OFFER_SETTLEMENT: ['dispute/settlement', { sellerBps: 5000 }],
  ACCEPT_SETTLEMENT: ['dispute/settlement/accept', {}],
  REVIEW: ['review', { rating: 5 }],
  REPLY_TO_REVIEW: ['review/reply', { comment: 'Thank you.' }],
  REPORT_PROGRESS: ['progress', { step: 'Reading' }],
  MESSAGE: ['messages', { text: 'Which month?' }],
}

const states: Record<JobStatus, EscrowFacts['state']> = {
  PENDING: 'UNFUNDED',
  IN_PROGRESS: 'FUNDED',
  UNDER_REVIEW: 'SUBMITTED',
  DISPUTED: 'DISPUTED',
  COMPLETED: 'RELEASED',
  CANCELLED: 'REFUNDED',
}

let world: TestJobs
let calls: JobCalls
let callers: Record<'CLIENT' | 'SELLER' | 'ADMIN' | 'STRANGER', TestOwner>
let agent: TestAgent

beforeAll(async () => {
  // These jobs are in no escrow: nobody waits for the chain.
  world = await startJobs({ settlementWaitMs: 0 })
  calls = createJobCalls(world)
  const [CLIENT, SELLER, STRANGER] = await Promise.all([world.newOwner(), world.newOwner(), world.newOwner()])
  callers = { CLIENT, SELLER, STRANGER, ADMIN: await world.newAdmin() }
  agent = await world.newAgent(SELLER)
  // What it takes to refund every job of this test.
  await world.give(agent.wallet, 1_000_000_000n)
})
afterAll(() => world.close())

/** A job put into a state by hand, with every condition of the table fulfilled. */
async function jobIn(
  status: JobStatus,
  rail: 'X402' | 'ESCROW',
  { needsAcceptance = false } = {},
): Promise<string> {
  const { jobId } = await calls.hire(callers.CLIENT, agent, rail === 'X402' ? '5000000' : '100000000')
  const now = world.clock.now().getTime() / 1000
  const facts: EscrowFacts = { ...unfunded, state: states[status], dueAt: now - 2 * 86_400 }
  await world.db.run(sql`
    update jobs set status = ${status}, decided_status = ${status}, due_at = to_timestamp(${now - 2 * 86_400}),
      review_ends_at = to_timestamp(${now + 86_400}), undecided_at = to_timestamp(${now + 86_400}),
      escrow_facts = case when escrow_facts is null then null else ${sql.json(facts)}::jsonb end,
      needs_acceptance = ${needsAcceptance}
    where id = ${jobId}`)
  if (rail === 'X402' && status !== 'PENDING') {
    await world.db.run(sql`
      update jobs set paid_at = created_at, payer_wallet = client_wallet where id = ${jobId}`)
  }
  if (status === 'DISPUTED') {
    await world.db.run(sql`
      insert into job_disputes (job_id, opened_by, reason, opened_at, offered_by, offered_bps, offered_at)
      values (${jobId}, 'CLIENT', 'r', now(), 'CLIENT', 2500, now())`)
  }
  return jobId
}

async function snapshotOf(jobId: string): Promise<unknown> {
  return world.db.rows(sql`
    select to_jsonb(jobs) as job, (select count(*) from job_events where job_id = jobs.id) as events,
      (select count(*) from job_deliveries where job_id = jobs.id) as deliveries,
      (select count(*) from job_evidence where job_id = jobs.id) as evidence,
      (select to_jsonb(d) from job_disputes d where d.job_id = jobs.id) as dispute,
      (select count(*) from reviews where job_id = jobs.id) as reviews,
      (select count(*) from intents where payload ->> 'jobId' = jobs.id) as intents,
      (select count(*) from notifications where link = '/jobs/' || jobs.id) as notifications
    from jobs where id = ${jobId}`)
}

const rowFor = (action: Action, from: JobStatus, rail: string, caller: string): Transition | undefined =>
  transitions.find(
    (row) =>
      row.action === action &&
      row.from === from &&
      (row.rail === 'ANY' || row.rail === rail) &&
      row.by.includes(caller as JobParty) &&
      // The offer that stands in these jobs is the client's own.
      !(action === 'ACCEPT_SETTLEMENT' && caller === 'CLIENT'),
  )

const mayEver = (action: Action, caller: string) =>
  transitions.some((row) => row.action === action && row.by.includes(caller as JobParty))

for (const rail of paymentMethods) {
  for (const status of jobStatuses) {
    test(`${rail} ${status}: each role reads what it may do`, async () => {
      const jobId = await jobIn(status, rail)
      for (const caller of ['CLIENT', 'SELLER', 'ADMIN'] as const) {
        const expected = partyActions.filter(
          // Nothing is reviewed yet, so there is nothing to reply to; and no order waits to be accepted.
          (action) =>
            action !== 'REPLY_TO_REVIEW' && action !== 'ACCEPT' && rowFor(action, status, rail, caller),
        )
        const response = await calls.get(callers[caller], `/api/jobs/${jobId}`)
        expect(response.json().data.allowedActions, caller).toEqual(expected)
        expect(response.json().data.job.allowedActions, caller).toEqual(expected)
      }
    })

    test(`${rail} ${status}: each role and action gets what the table says`, async () => {
      for (const [action, [verb, body]] of Object.entries(verbs) as [Action, [string, object]][]) {
        for (const caller of ['CLIENT', 'SELLER', 'ADMIN', 'STRANGER'] as const) {
          const what = `${rail} ${status} ${caller} ${action}`
          const row = rowFor(action, status, rail, caller)
          const jobId = await jobIn(status, rail, { needsAcceptance: action === 'ACCEPT' })
          const before = await snapshotOf(jobId)
          const signed = action === 'PAY' && rail === 'ESCROW' ? await signedFor(jobId) : body
          const response = await calls.send(callers[caller], `/api/jobs/${jobId}/${verb}`, signed)

          if (row && action === 'REPLY_TO_REVIEW') {
            // Allowed, but there is no review yet.
            expect(response.statusCode, what).toBe(409)
            expect(response.json().error.code, what).toBe('CONFLICT')
          } else if (row && action === 'PAY') {
            // X402 asks for its payment; the escrow finds that the client holds nothing.
            expect(response.statusCode, what).toBe(rail === 'X402' ? 402 : 422)
            expect(await snapshotOf(jobId), what).toEqual(before)
          } else if (row) {
            expect(response.statusCode, `${what}: ${response.body}`).toBe(statusCodeOf(row))
            const { status: now } = await world.db.one<{ status: JobStatus }>(
              sql`select status from jobs where id = ${jobId}`,
            )
            // A refund from a wallet changes the job once the chain has it.
            if (row.effect === 'x402.refund') expect(now, what).toBe(status)
            else expect(targetsOf(row), what).toContain(now)
          } else if (action === 'PAY' && caller === 'CLIENT' && isFundedByAnother(rail, status)) {
            expect(response.statusCode, what).toBe(200)
            expect(await snapshotOf(jobId), what).toEqual(before)
          } else {
            expect([response.statusCode, response.json().error.code], what).toEqual(
              refusalFor(caller, action),
            )
            expect(await snapshotOf(jobId), what).toEqual(before)
          }
        }
      }
    })
  }
}

/** These jobs hold a deposit that is not ours: paying for one again finds it paid, and moves nothing. */
const isFundedByAnother = (rail: string, status: JobStatus): boolean =>
  rail === 'ESCROW' && status !== 'PENDING' && status !== 'CANCELLED'

/** A claim, and a delivery after the deadline, can be overtaken: without the chain's word they are only accepted. */
function statusCodeOf({ action, effect }: Transition): number {
  if (action === 'REVIEW' || action === 'REPORT_PROGRESS' || action === 'MESSAGE') return 201
  const canBeOvertaken = ['escrow.openDispute', 'escrow.claimMissedDeadline', 'escrow.submit', 'x402.refund']
  return effect !== null && canBeOvertaken.includes(effect) ? 202 : 200
}

function refusalFor(caller: string, action: Action): [number, string] {
  if (caller === 'STRANGER') return [404, 'NOT_FOUND']
  return mayEver(action, caller) ? [409, 'INVALID_STATE'] : [403, 'FORBIDDEN']
}

async function signedFor(jobId: string) {
  const { paymentInfo, ...job } = await calls.jobOf(callers.CLIENT, jobId)
  if (paymentInfo) return calls.sign(callers.CLIENT.wallet, paymentInfo.typedData)
  const { escrowKey } = await world.db.one<{ escrowKey: string }>(
    sql`select escrow_key from jobs where id = ${job.id}`,
  )
  const { address } = callers.CLIENT.wallet
  const { escrow } = world.chain.facts.contracts
  const authorization = {
    from: address,
    to: escrow,
    value: '100000000',
    validAfter: '0',
    validBefore: '1',
    nonce: escrowKey,
  }
  return { authorization, signature: `0x${'11'.repeat(65)}` }
}
