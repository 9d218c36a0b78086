import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../../platform/db/database.ts'
import { sql } from '../../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../../testing/explaining.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { listUnpaid } from './hire-store.ts'
import { listOutdated, markRemoved } from './store.ts'

const FILES = 3_000
const ENDED = new Date('2031-01-01T12:00:00.000Z')
const LATER = new Date('2031-02-01T12:00:00.000Z')
const LIMIT = 10

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.transaction(async (tx) => {
    // Their owners and their agent do not exist.
    await tx.run(sql`set local session_replication_role = replica`)
    await tx.run(sql`
      insert into jobs (id, agent_id, client_id, seller_id, client_wallet, seller_wallet, agent_wallet, title, description,
        category, attachments, payment_method, price_micro, fee_micro, net_micro, aml_flagged, counts, created_at, fund_by,
        status, payer_wallet, paid_at)
      select 'cjob' || n, 'cagent', 'cclient', 'cseller', '0x1', '0x2', '0x3', 'Work', '', 'x', '{}', 'X402', 1, 0, 1,
        false, true, now(), now(), 'PENDING', '0x4', case when n % 2 = 0 then now() end
      from generate_series(1, ${FILES}::int) n`)
    await tx.run(sql`
      insert into job_files (id, job_id, owner_id, brought_by, name, media_type, size_bytes, cid, dag_bytes, is_sent,
        hire_place, created_at)
      select 'cfile' || n, 'cjob' || n, 'cclient', 'CLIENT', 'a.csv', 'text/csv', 1, 'cid' || n, 1, true, 0, now()
      from generate_series(1, ${FILES}::int) n`)
  })
  await database.db.run(sql`alter table jobs disable trigger jobs_score`)
  await database.db.run(sql`analyze jobs, job_files`)
})
afterAll(() => database.close())

const idsOf = async (files: Promise<{ id: string }[]>) => (await files).map(({ id }) => id)
const page = { after: undefined, limit: LIMIT }
const outdated = (db: Database, endedBefore: Date) => listOutdated(db, { endedBefore, ...page })
const unpaid = (db: Database, endedBefore: Date) => listUnpaid(db, { endedBefore, ...page })

const endJobs = (status: string, numbers: number[]) =>
  database.db.run(sql`
    update jobs set status = ${status}, ended_at = ${ENDED} where id = any(${numbers.map((n) => `cjob${n}`)})`)

test('files are found by the end of their job, those of an unpaid hire as well, until it ends in another way', async () => {
  await endJobs('CANCELLED', [5, 6])
  expect(await idsOf(outdated(database.db, LATER))).toEqual(['cfile5', 'cfile6'])
  expect(await idsOf(outdated(database.db, new Date(ENDED.getTime() - 1)))).toEqual([])
  expect(await idsOf(unpaid(database.db, LATER))).toEqual(['cfile5'])
  expect(await idsOf(unpaid(database.db, new Date(ENDED.getTime() - 1)))).toEqual([])

  await database.db.run(sql`update jobs set paid_at = ${ENDED} where id = 'cjob5'`)
  expect(await idsOf(unpaid(database.db, LATER))).toEqual([])
  await database.db.run(
    sql`update jobs set status = 'PENDING', ended_at = null where id in ('cjob5', 'cjob6')`,
  )
  expect(await idsOf(outdated(database.db, LATER))).toEqual([])
})

test('a file that a fork or a payment makes needed again after it was listed is not removed', async () => {
  await endJobs('CANCELLED', [9, 11])
  await database.db.run(sql`update jobs set paid_at = ${ENDED} where id = 'cjob9'`)
  await database.db.run(sql`update jobs set status = 'PENDING', ended_at = null where id = 'cjob11'`)
  const remove = (id: string, why: 'job_ended_at' | 'unpaid_since') =>
    markRemoved(database.db, { id, why, at: LATER })
  expect(await remove('cfile9', 'unpaid_since')).toBe(false)
  expect(await remove('cfile11', 'unpaid_since')).toBe(false)
  expect(await remove('cfile11', 'job_ended_at')).toBe(false)
  expect(await remove('cfile9', 'job_ended_at')).toBe(true)
})

test('no other file is read', async () => {
  // The others have ended as well, and are kept: paid, or not long ago.
  await endJobs(
    'COMPLETED',
    Array.from({ length: FILES / 2 }, (_, index) => 2 * index + 2),
  )
  await endJobs('CANCELLED', [7])
  await database.db.run(sql`analyze jobs, job_files`)
  for (const [list, before] of [
    [unpaid, LATER],
    [outdated, new Date(ENDED.getTime() - 1)],
  ] as const) {
    const plans: PlanNode[] = []
    await list(explaining(database.db, plans), before)
    const read = Object.values(rowsRead(plans)).reduce((sum, rows) => sum + rows, 0)
    expect(read).toBeLessThanOrEqual(1)
  }
})
