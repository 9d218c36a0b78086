import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, claimedAccount, walletAccount } from '../../../money/books/accounts.ts'
import { sql } from '../../../platform/db/sql.ts'
import { explaining, type PlanNode, rowsRead } from '../../../testing/explaining.ts'
import { listEarnings, sumEarningsByDay } from '../store.ts'
import { startEarnings } from '../testing/start-earnings.ts'

const JOBS = 600
const PAYMENTS = 200
const OTHERS = 3_000
const PAGE = 20
/** How many more rows may be read for what a page shows of its entries. */
const FEW = 16 * PAGE

let api: Awaited<ReturnType<typeof startEarnings>>
let accounts: Account[]

/** A seller with jobs, and with payments without one, among those of others. */
beforeAll(async () => {
  api = await startEarnings()
  const [seller, buyer] = await Promise.all([api.newOwner(), api.newOwner()])
  const agent = await api.newAgent(seller)
  const jobId = await api.order(buyer, agent, { title: 'Reconcile October' })
  accounts = [walletAccount(agent.walletAddress), claimedAccount(agent.walletAddress)]
  await api.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into jobs select (jsonb_populate_record(jobs, jsonb_build_object(
        'id', 'cjob' || lpad(n::text, 21, '0'), 'escrow_key', '0x' || n))).*
      from jobs, generate_series(1, ${JOBS}) n where jobs.id = ${jobId}`)
    await tx.run(sql`
      insert into journal_entries (id, kind, at, chain_id, tx_hash, log_index, block_number, block_hash, job_id)
      select 'j' || n, case when n <= ${JOBS} then 'escrow.released' else 'x402' end, now() - n * interval '1 minute', 1,
        '0x' || md5(n::text) || md5(n::text), 0, n, '0x', case when n <= ${JOBS} then 'cjob' || lpad(n::text, 21, '0') end
      from generate_series(1, ${JOBS + PAYMENTS + OTHERS}) n`)
    await tx.run(sql`
      insert into journal_postings
      select 'j' || n, case when n <= ${JOBS + PAYMENTS} then ${accounts[0] ?? ''} else 'wallet:0x' || lpad(to_hex(n), 40, '0') end,
        5000000 from generate_series(1, ${JOBS + PAYMENTS + OTHERS}) n
      union all select 'j' || n, 'wallet:0xdd' || lpad(to_hex(n), 38, '0'), -5000000
      from generate_series(1, ${JOBS + PAYMENTS + OTHERS}) n`)
  })
  await api.tick('earning-days')
  await api.db.run(sql`analyze`)
})
afterAll(() => api.close())

/** Plans that the planner prefers for tables as small as these; with many rows it avoids them by itself. */
const unwanted = {
  list: ['enable_seqscan', 'enable_sort', 'enable_hashjoin', 'enable_mergejoin'],
  sums: ['enable_seqscan'],
}

async function readBy(word: string, view: 'list' | 'sums') {
  const plans: PlanNode[] = []
  await api.db.transaction(async (tx) => {
    await tx.run(sql`select set_config(name, 'off', true) from unnest(${unwanted[view]}::text[]) name`)
    const filter = { accounts, words: [word] }
    const db = explaining(tx, plans)
    if (view === 'list') await listEarnings(db, filter, { sort: 'newest', limit: PAGE, offset: 0 })
    else await sumEarningsByDay(db, filter)
  })
  const read = rowsRead(plans)
  const rowsOf = (table: string): number => read[table] ?? 0
  return {
    jobs: rowsOf('jobs'),
    listed: rowsOf('earning_entries'),
    entries: rowsOf('journal_entries'),
    postings: rowsOf('journal_postings'),
  }
}

const hash = '0xc4ca4238a0b923820dcc509a6f75849bc4ca4238a0b923820dcc509a6f75849b'

test.each([
  ['a word that nothing has', 'nowhere', { jobs: JOBS, entries: 0, postings: 0 }],
  ['a word of every job', 'october', { jobs: JOBS, entries: JOBS, postings: 0 }],
  ['a whole transaction', hash, { jobs: JOBS, entries: 1, postings: 0 }],
  [
    'a part of one',
    hash.slice(5, 20),
    { jobs: JOBS, entries: JOBS + PAYMENTS, postings: 2 * (JOBS + PAYMENTS) },
  ],
  ['a wallet', `0xdd${'7'.padStart(38, '0')}`, { jobs: JOBS, entries: 0, postings: 2 * (JOBS + PAYMENTS) }],
])('%s costs one scan of where it can be, and nothing is read of other entries', async (_, word, most) => {
  const read = await readBy(word, 'list')
  expect(read.jobs).toBeLessThanOrEqual(most.jobs + FEW)
  expect(read.listed).toBeLessThanOrEqual(2 * (JOBS + PAYMENTS) + FEW)
  expect(read.entries).toBeLessThanOrEqual(most.entries + FEW)
  expect(read.postings).toBeLessThanOrEqual(most.postings + FEW)
})

test('the agent’s name leads to a page of entries, and to sums that are kept', async () => {
  const page = await readBy('lark', 'list')
  expect([page.listed, page.jobs]).toEqual([PAGE, expect.toBeOneOf([0, PAGE])])
  expect(await readBy('lark', 'sums')).toEqual({ jobs: 0, listed: 0, entries: 0, postings: 0 })
})

test('sums of most entries are those of all minus the others', async () => {
  await api.db.run(sql`update jobs set title = 'Translate a letter' where id like 'cjob%1'`)
  const others = PAYMENTS + JOBS / 10
  const { entries, postings } = await readBy('october', 'sums')
  // The entries of the jobs that are found are read too, because entries are found by their jobs.
  expect(entries).toBeLessThanOrEqual(JOBS + others + PAGE)
  expect(postings).toBeLessThanOrEqual(2 * others + PAGE)
})
