import { pino } from 'pino'
import { openJob } from '../packages/server/src/features/jobs/lifecycle/open-job.ts'
import { findHires, insertJobs } from '../packages/server/src/features/jobs/lifecycle/store.ts'
import { insertNotifications } from '../packages/server/src/features/notifications/store.ts'
import { listReceivers } from '../packages/server/src/features/webhooks/store.ts'
import { wallClock } from '../packages/server/src/platform/clock/clock.ts'
import type { Connection } from '../packages/server/src/platform/db/connection.ts'
import { createDatabase } from '../packages/server/src/platform/db/database.ts'
import { sql } from '../packages/server/src/platform/db/sql.ts'
import type { Transaction } from '../packages/server/src/platform/db/transaction.ts'
import { createGroupCommit } from '../packages/server/src/platform/fast/group-commit.ts'
import { createIdSource } from '../packages/server/src/platform/id/id.ts'
import { agentIdOf, ownerIdOf } from './agents-seed.ts'
import type { Compared } from './measuring/compare.ts'
import { openDatabaseCpu } from './measuring/database-cpu.ts'
import { median } from './measuring/measure.ts'

const CLIENTS = 64
const ROUNDS = 5
const ROUND_MS = 2_000

interface Pair {
  agentId: string
  clientId: string
}

interface Rate {
  perSecond: number
  cpuMicros: number
  databaseMicros: number
}

const newId = createIdSource(wallClock)
const given = {
  title: 'Reconcile October',
  description: 'Match 1,204 transfers with the attached invoices, and say which of them are missing. '.repeat(
    2,
  ),
  category: 'finance',
  priceMicro: 5_000_000n,
  deadlineAt: null,
  attachments: [],
  serviceId: undefined,
  input: undefined,
  buyerProtection: false,
}
const message = '“Reconcile October”: the agent is asked to work for 5.00 USDC. It waits for payment.'

/** Ours, as the feature does it, without HTTP: all jobs that are wanted at the same time in one transaction. */
async function writeTogether(tx: Transaction, pairs: readonly Pair[]) {
  const hires = await findHires(tx, pairs)
  const now = new Date()
  const jobs = pairs.map((pair, index) => {
    const hire = hires.get(index)
    if (!hire) throw new Error(`there is no agent ${pair.agentId}`)
    const terms = { ...given, agentId: pair.agentId }
    const opened = openJob(newId(), terms, hire, { clientId: pair.clientId, isVerified: true, now })
    return { ...opened, escrowKey: null, eventId: newId() }
  })
  await insertJobs(tx, jobs)
  await insertNotifications(
    tx,
    jobs.map(({ id, sellerId }) => ({
      id: newId(),
      ownerId: sellerId,
      type: 'JOB_CREATED',
      title: 'New job',
      message,
      link: `/jobs/${id}`,
      foldKey: null,
      isFolded: false,
      repeats: 0,
      isListed: true,
      isEvent: true,
      createdAt: now,
    })),
  )
  await listReceivers(
    tx,
    jobs.map(({ sellerId }) => sellerId),
  )
  return jobs.map(({ id }) => ({ status: 'fulfilled', value: id }) as const)
}

/** The floor: begin, four inserts, commit. It looks nothing up. */
async function writeInSixTrips(tx: Transaction, { agentId, clientId }: Pair): Promise<void> {
  const id = newId()
  const now = new Date()
  await tx.run(sql`
    insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
      category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, created_at, fund_by)
    values (${id}, ${agentId}, ${clientId}, ${clientId}, ${clientId}, ${clientId}, ${agentId}, ${given.title},
      ${given.description}, ${given.category}, '{}', 'X402', ${given.priceMicro}, 0, ${given.priceMicro}, false, true,
      ${now}, ${now})`)
  await tx.run(sql`
    insert into job_events (id, job_id, type, actor, created_at) values (${newId()}, ${id}, 'JOB_CREATED', 'CLIENT', ${now})`)
  await tx.run(sql`
    insert into notifications (id, owner_id, type, title, message, link, created_at)
    values (${newId()}, ${clientId}, 'JOB_CREATED', 'New job', ${message}, ${`/jobs/${id}`}, ${now})`)
  await tx.run(sql`
    insert into bench_outbox (id, type, payload) values (${newId()}, 'job.created', ${sql.json({ jobId: id })})`)
}

async function measure(create: () => Promise<unknown>, databaseCpu: () => number): Promise<Rate> {
  const startedMs = performance.now()
  const cpuBefore = process.cpuUsage()
  const databaseBefore = databaseCpu()
  let count = 0
  const client = async () => {
    while (performance.now() < startedMs + ROUND_MS) {
      await create()
      count += 1
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    perSecond: (count / (performance.now() - startedMs)) * 1000,
    cpuMicros: (user + system) / count,
    databaseMicros: (databaseCpu() - databaseBefore) / count,
  }
}

const wholeCpu = ({ cpuMicros, databaseMicros }: Rate) => cpuMicros + databaseMicros

/** Both in this process, over a pool of 16, interleaved. */
export async function compareSqlWork(
  connection: Connection,
  { agentCount, ownerCount }: { agentCount: number; ownerCount: number },
): Promise<Compared> {
  const databaseCpu = await openDatabaseCpu(connection)
  const db = createDatabase({ connection, poolSize: 16, log: pino({ level: 'warn' }) })
  await db.run(sql`
    create table bench_outbox (id text primary key, type text not null, payload jsonb not null, sent_at timestamptz)`)
  const create = createGroupCommit({ db, write: writeTogether })
  let turn = 0
  const nextPair = (): Pair => {
    turn += 1
    return { agentId: agentIdOf(1 + ((turn * 7) % agentCount)), clientId: ownerIdOf((turn * 3) % ownerCount) }
  }
  const rounds: { ours: Rate; six: Rate }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const six = await measure(() => db.transaction((tx) => writeInSixTrips(tx, nextPair())), databaseCpu)
    const ours = await measure(() => create(nextPair()), databaseCpu)
    if (round > 0) rounds.push({ ours, six })
  }
  await db.close()
  const shown = (of: (rate: Rate) => number) =>
    `ours ${median(rounds.map(({ ours }) => of(ours))).toFixed(0)}, six trips ${median(rounds.map(({ six }) => of(six))).toFixed(0)}`
  return {
    throughput: median(rounds.map(({ ours, six }) => ours.perSecond / six.perSecond)),
    cpu: median(rounds.map(({ ours, six }) => wholeCpu(six) / wholeCpu(ours))),
    figures: [
      `jobs/s: ${shown(({ perSecond }) => perSecond)}`,
      `CPU µs per job in this process: ${shown(({ cpuMicros }) => cpuMicros)}`,
      `in the database: ${shown(({ databaseMicros }) => databaseMicros)}`,
    ].join('; '),
  }
}
