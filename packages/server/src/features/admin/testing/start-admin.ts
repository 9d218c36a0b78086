import type { Dispute, Job } from '@agent-marketplace/contract'
import { sql } from '../../../platform/db/sql.ts'
import { createIdempotency } from '../../../platform/http/once/idempotency.ts'
import { createIdSource } from '../../../platform/id/id.ts'
import type { ArbiterSafe } from '../../../ports/chain/port.ts'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { startAgents, type TestAgentsOptions } from '../../agents/testing/test-agents.ts'
import { createNotificationsService } from '../../notifications/service.ts'
import type { DisputedJob } from '../disputes/disputes.ts'
import { adminRoutes } from '../routes.ts'
import { type AdminDeps, createAdminService } from '../service.ts'

type Headers = Record<string, string>

/** A chain that does not respond, for tests that do not need one. */
const silentSafe: ArbiterSafe = {
  address: `0x${'5a'.repeat(20)}`,
  readState: () => Promise.reject(new Error('no response')),
  planOf: () => unreachable(),
  readSignature: () => unreachable(),
  executionOf: () => unreachable(),
}

function unreachable(): never {
  throw new Error('the Safe was asked without its state')
}

/** Queue and engine have tests of their own, where they are real. */
const unasked = () => Promise.reject(new Error('not part of this test'))

/** The console over a real database and the real agents. Jobs and withdrawals are the test's own lists. */
export async function startAdmin(
  options: Partial<AdminDeps> & { money?: NonNullable<TestAgentsOptions['money']> } = {},
) {
  const { money, ...overrides } = options
  const market = await startAgents({ approvesItself: false, ...(money && { money }) })
  const { db, clock, agents, intents } = market
  const newId = createIdSource(clock)
  const { notify } = createNotificationsService({ db, clock, newId })
  const jobs = new Map<string, DisputedJob>()
  const adminWallets = new Set<string>()

  const admin = createAdminService({
    db,
    clock,
    newId,
    notify,
    intents,
    safe: silentSafe,
    readArbiter: async () => silentSafe.address,
    forgetOwner: () => undefined,
    isAdminWallet: (wallet) => adminWallets.has(wallet),
    agents,
    jobsById: async (_db, ids) => {
      const found = [...jobs.values()].filter(({ job }) => ids.includes(job.id))
      return new Map(found.map(({ job }) => [job.id, job]))
    },
    disputes: {
      async list({ status, limit, offset }) {
        const fitting = [...jobs.values()].filter(
          ({ job }) => status === undefined || (status === 'OPEN') === (job.status === 'DISPUTED'),
        )
        return { disputes: fitting.slice(offset, offset + limit), total: fitting.length }
      },
      find: async (_db, jobId) => jobs.get(jobId),
    },
    listWithdrawals: unasked,
    engine: { status: unasked, goBack: unasked, resume: unasked },
    queue: { listDeadLetters: unasked, retryDeadLetter: unasked },
    reader: { getBlock: unasked },
    cursorSecret: 'a secret for cursors in tests',
    workerHealth: unasked,
    indexerHealth: unasked,
    ...overrides,
  })
  const http = await createTestHttp(adminRoutes({ admin }), {
    db,
    clock,
    idempotency: createIdempotency({ db, clock }),
    rateLimitsEnforced: false,
  })

  async function newAdmin(): Promise<{ ownerId: string; headers: Headers }> {
    const { ownerId, walletAddress } = await market.newSeller()
    adminWallets.add(walletAddress)
    return { ownerId, headers: { authorization: `Bearer ${tokenFor({ ownerId, isAdmin: true })}` } }
  }

  return {
    db,
    newId,
    admin,
    market,
    jobs,
    newAdmin,

    get: (path: string, headers: Headers) => http.app.inject({ url: `/api/admin${path}`, headers }),
    post: (path: string, headers: Headers, payload?: object) =>
      http.app.inject({ method: 'POST', url: `/api/admin${path}`, headers, ...(payload && { payload }) }),

    /** Everything in the log about one thing, oldest first. */
    entriesOf: (subjectId: string) =>
      db.rows<{ actorId: string | null; action: string; details: Record<string, unknown> }>(
        sql`select actor_id, action, details from audit_log where subject_id = ${subjectId} order by seq`,
      ),

    async close() {
      await http.close()
      await market.close()
    },
  }
}

export function testJob(fields: Partial<Job> & Pick<Job, 'id'>): Job {
  return {
    agentId: 'cagent0000000000000000000',
    clientId: 'cclient000000000000000000',
    title: 'Reconcile October',
    description: 'Match transfers with invoices.',
    status: 'DISPUTED',
    paymentMethod: 'ESCROW',
    agreedPrice: '1000000001',
    platformFee: '20000000',
    netAmount: '980000001',
    deliveryCid: null,
    createdAt: '2026-11-15T12:00:00.000Z',
    deadlineAt: null,
    overdue: false,
    serviceId: null,
    buyerProtection: false,
    needsAcceptance: false,
    refund: null,
    escrowState: 'DISPUTED',
    nextAction: null,
    fundBy: null,
    reviewEndsAt: null,
    amlFlagged: false,
    ...fields,
  }
}

export const testDispute: Dispute = {
  openedBy: 'CLIENT',
  reason: 'Half of the transfers are missing.',
  openedAt: '2026-11-15T12:00:00.000Z',
  undecidedAt: '2026-12-15T12:00:00.000Z',
  evidence: [],
  settlement: null,
  sellerBps: null,
}
