import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { AppError } from '@agent-marketplace/contract'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { startSilentProxy } from '../../testing/processes/silent-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createDatabase, type Database } from './database.ts'
import { sql } from './sql.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase
let db: Database

beforeAll(async () => {
  database = await createTestDatabase()
  db = database.db
  await db.run(
    sql`create table account (name text constraint account_name primary key, balance numeric(78, 0) not null)`,
  )
})
afterAll(() => database.close())

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => expect.unreachable('it should have failed'),
    (error) => error,
  )
}

async function expectUnavailable(work: Promise<unknown>): Promise<AppError> {
  const error = await failureOf(work)
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({ code: 'UNAVAILABLE', cause: expect.any(Error) })
  return error as AppError
}

/** A promise that the test itself decides to resolve. */
function createGate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

describe('values', () => {
  test('come back as what they are', async () => {
    const at = new Date('2026-11-15T12:00:00.123Z')
    const large = 10n ** 60n
    const row = await db.one(sql`select
      ${large}::numeric as large, ${2n ** 62n}::int8 as whole, ${at}::timestamptz as at, ${true}::bool as flag,
      ${null}::text as nothing, ${['a', 'b,"c"', null]}::text[] as texts, ${[1n, large]}::numeric[] as amounts,
      ${sql.json({ a: [1] })}::jsonb as document, ${Buffer.from('ab')}::bytea as bytes, '2026-02-28'::date as day,
      ${0.5}::float8 as half, ${[7n]}::int8[] as wholes, ${[] as bigint[]}::int8[] as none`)
    expect(row).toEqual({
      large,
      whole: 2n ** 62n,
      at,
      flag: true,
      nothing: null,
      texts: ['a', 'b,"c"', null],
      amounts: [1n, large],
      document: { a: [1] },
      bytes: Buffer.from('ab'),
      day: '2026-02-28',
      half: 0.5,
      wholes: [7n],
      none: [],
    })
  })

  test('columns are named in camelCase, in every row and by every way to read one', async () => {
    await db.run(
      sql`create table named_things (id int primary key, created_by text, x402_price_micro bigint, "asIs" text)`,
    )
    const names = { id: 1, createdBy: 'a', x402PriceMicro: 5n, asIs: null }
    expect(await db.one(sql`insert into named_things values (1, 'a', 5) returning *`)).toEqual(names)
    await db.run(sql`insert into named_things values (2, null, null, 'b')`)
    const all = sql`select * from named_things order by id`
    expect(await db.rows(all)).toEqual([names, { id: 2, createdBy: null, x402PriceMicro: null, asIs: 'b' }])
    expect(
      await db.maybeOne(
        sql`select created_by, max(id) as "lastId" from named_things where id = 1 group by 1`,
      ),
    ).toEqual({ createdBy: 'a', lastId: 1 })
    await db.transaction(async (tx) => {
      // The second time it is prepared already.
      expect((await tx.rows(all))[0]).toEqual(names)
      expect((await tx.rows(all))[0]).toEqual(names)
    })
  })

  test('what is inside JSON keeps its names', async () => {
    const document = '{"created_by":{"first_name":"a"}}'
    expect(await db.one(sql`select ${document}::jsonb as user_input`)).toEqual({
      userInput: JSON.parse(document),
    })
  })

  test('sums and counts are bigint, a fraction is refused', async () => {
    expect(await db.one(sql`select count(*) as count, sum(n) as sum from generate_series(1, 4) n`)).toEqual({
      count: 4n,
      sum: 10n,
    })
    await expect(db.one(sql`select 1.5::numeric as n`)).rejects.toThrow(SyntaxError)
    await db.ping()
  })

  test('one, maybeOne and run say how many rows they met', async () => {
    await expect(db.one(sql`select 1 where false`)).rejects.toThrow('got none')
    await expect(db.one(sql`select 1 from generate_series(1, 2)`)).rejects.toThrow('got 2')
    expect(await db.maybeOne(sql`select 1 where false`)).toBeUndefined()
    expect(await db.run(sql`insert into account values ('x', 0), ('y', 0)`)).toBe(2)
    expect(await db.run(sql`delete from account`)).toBe(2)
  })

  test('a statement is prepared once per connection', async () => {
    const read = (n: number) => sql`select ${n}::int4 + 1 as next`
    await db.transaction(async (tx) => {
      expect(await tx.one(read(1))).toEqual({ next: 2 })
      expect(await tx.one(read(2))).toEqual({ next: 3 })
      const prepared = sql`select count(*) as count from pg_prepared_statements where name = ${read(0).name}`
      expect(await tx.one(prepared)).toEqual({ count: 1n })
    })
  })
})

describe('errors', () => {
  test('a unique violation passes through and the connection lives on', async () => {
    const single = createDatabase({ connection: database.connection, poolSize: 1, log })
    const backend = () => single.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const before = await backend()
    await single.run(sql`insert into account values ('unique', 0)`)
    const error = await failureOf(single.run(sql`insert into account values ('unique', 0)`))
    expect(error).toMatchObject({ code: '23505', constraint: 'account_name' })
    expect((error as Error).stack).toContain('database.test.ts')
    expect(await backend()).toEqual(before)
    await single.close()
  })

  test('a statement over its time is UNAVAILABLE', async () => {
    const impatient = createDatabase({
      connection: database.connection,
      poolSize: 1,
      log,
      statementTimeoutMs: 50,
    })
    await expectUnavailable(impatient.run(sql`select pg_sleep(60)`))
    await impatient.ping()
    await impatient.close()
  })

  test.concurrent('a server that accepts and never responds is UNAVAILABLE', async () => {
    const silent: Server = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const address = silent.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const deaf = createDatabase({
      connection: { host: '127.0.0.1', port, user: 'postgres' },
      poolSize: 1,
      log,
    })
    await expectUnavailable(deaf.ping())
    await deaf.close()
    silent.close()
  })

  test.concurrent('an exhausted pool is UNAVAILABLE after three seconds', async () => {
    const single = createDatabase({ connection: database.connection, poolSize: 1, log })
    const held = createGate()
    const transaction = single.transaction(() => held.opened)
    const startedAt = performance.now()
    await expectUnavailable(single.ping())
    expect(performance.now() - startedAt).toBeLessThan(PATIENCE_MS)
    held.open()
    await transaction
    await single.ping()
    await single.close()
  })

  test.each(['53100', '53300', '57014', '25006', '08006'])(
    'the condition %s of the server is UNAVAILABLE',
    async (code) => {
      await db.run(sql`create or replace function fail_with(code text) returns void language plpgsql as
      $$ begin raise exception 'failed on purpose' using errcode = code; end $$`)
      await expectUnavailable(db.run(sql`select fail_with(${code})`))
      await db.ping()
    },
  )

  test('a connection to a server that takes no writes any more is not used again', async () => {
    const single = createDatabase({ connection: database.connection, poolSize: 1, log })
    await single.run(sql`select set_config('default_transaction_read_only', 'on', false)`)
    const insert = () => single.run(sql`insert into account values ('after a failover', 1)`)
    await expectUnavailable(insert())
    expect(await insert()).toBe(1)
    await single.close()
  })

  test.each([
    { name: 'no socket', connection: { host: '/tmp/there-is-no-such-directory', user: 'postgres' } },
    { name: 'a refused port', connection: { host: '127.0.0.1', port: 1, user: 'postgres' } },
  ])('$name is UNAVAILABLE', async ({ connection }) => {
    const nowhere = createDatabase({ connection, poolSize: 1, log })
    await expectUnavailable(nowhere.ping())
    await expectUnavailable(nowhere.transaction((tx) => tx.run(sql`select 1`)))
    await expectUnavailable(
      nowhere.listen(
        'news',
        () => {},
        () => {},
      ),
    )
    await nowhere.close()
  })

  test('a backend killed inside a statement is UNAVAILABLE, and the next statement works', async () => {
    await expectUnavailable(db.run(sql`select pg_terminate_backend(pg_backend_pid())`))
    await db.ping()
  })
})

describe('transaction', () => {
  const balanceOf = async (name: string) =>
    (await db.maybeOne<{ balance: bigint }>(sql`select balance from account where name = ${name}`))?.balance

  test('commits what it wrote and then runs the work after commit', async () => {
    const seen: (bigint | undefined)[] = []
    const done = createGate()
    await db.transaction(async (tx) => {
      await tx.run(sql`insert into account values ('commit', 5)`)
      tx.afterCommit(() => {
        throw new Error('this is logged and does not undo anything')
      })
      tx.afterCommit(() => {
        void balanceOf('commit').then((balance) => {
          seen.push(balance)
          done.open()
        })
      })
    })
    await done.opened
    expect(seen).toEqual([5n])
  })

  test('rolls back when the work throws, and runs nothing after commit', async () => {
    let ran = false
    const work = db.transaction(async (tx) => {
      tx.afterCommit(() => {
        ran = true
      })
      await tx.run(sql`insert into account values ('rollback', 5)`)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(await balanceOf('rollback')).toBeUndefined()
    expect(ran).toBe(false)
  })

  test('a swallowed error is never reported as a commit', async () => {
    const work = db.transaction(async (tx) => {
      await tx.run(sql`insert into account values ('swallowed', 5)`)
      await tx.run(sql`select 1 / 0`).catch(() => undefined)
    })
    await expect(work).rejects.toThrow('rolled back')
    expect(await balanceOf('swallowed')).toBeUndefined()
  })

  test('a statement after the end is refused', async () => {
    const kept = await db.transaction(async (tx) => tx)
    await expect(kept.run(sql`select 1`)).rejects.toThrow('after the end')
  })

  test('two transactions that deadlock both succeed, one of them at its second try', async () => {
    await db.run(sql`insert into account values ('left', 0), ('right', 0)`)
    const locked = { left: createGate(), right: createGate() }
    const oneIsThrough = createGate()
    let attempts = 0
    const add = async (first: 'left' | 'right', second: 'left' | 'right') => {
      await db.transaction(async (tx) => {
        attempts += 1
        // A second try that is quick takes the row again before the other, who waits for it, has woken up.
        if (attempts > 2) await oneIsThrough.opened
        await tx.run(sql`update account set balance = balance + 1 where name = ${first}`)
        locked[first].open()
        await locked[second].opened
        await tx.run(sql`update account set balance = balance + 1 where name = ${second}`)
      })
      oneIsThrough.open()
    }
    await Promise.all([add('left', 'right'), add('right', 'left')])
    expect(attempts).toBe(3)
    expect([await balanceOf('left'), await balanceOf('right')]).toEqual([2n, 2n])
  })

  test('a transaction that never serialises gives up after three retries', async () => {
    let attempts = 0
    const work = db.transaction(async (tx) => {
      attempts += 1
      await tx.run(sql`do $$ begin raise exception 'collision' using errcode = '40001'; end $$`)
    })
    await expectUnavailable(work)
    expect(attempts).toBe(4)
  })

  test('a connection lost between statements is UNAVAILABLE and harms nobody else', async () => {
    const work = db.transaction(async (tx) => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await tx.run(sql`insert into account values ('lost', 5)`)
      await db.run(sql`select pg_terminate_backend(${pid}, ${PATIENCE_MS})`)
      await tx.run(sql`select 1`)
    })
    await expectUnavailable(work)
    expect(await balanceOf('lost')).toBeUndefined()
  })

  test('a connection lost before commit is UNAVAILABLE, never success', async () => {
    const work = db.transaction(async (tx) => {
      const { pid } = await tx.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
      await tx.run(sql`insert into account values ('unknown', 5)`)
      await db.run(sql`select pg_terminate_backend(${pid}, ${PATIENCE_MS})`)
    })
    await expectUnavailable(work)
    expect(await balanceOf('unknown')).toBeUndefined()
  })
})

describe('listen', () => {
  test('delivers messages, and reports a gap after its connection was lost', async () => {
    const messages: string[] = []
    let arrival = createGate()
    let gap = createGate()
    const stop = await db.listen(
      'news',
      (payload) => {
        messages.push(payload)
        arrival.open()
      },
      () => gap.open(),
    )
    await db.run(sql`select pg_notify('news', 'one')`)
    await arrival.opened

    arrival = createGate()
    await db.run(sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'`)
    await gap.opened
    await db.run(sql`select pg_notify('news', 'two')`)
    await arrival.opened
    expect(messages).toEqual(['one', 'two'])

    gap = createGate()
    await stop()
    const { count } = await db.one<{ count: bigint }>(
      sql`select count(*) as count from pg_stat_activity where query like 'listen %' and datname = current_database()`,
    )
    expect(count).toBe(0n)
  })

  test('a connection that fell silent is lost, and opened again', async () => {
    const { user = '', password = '', database: name = '', ...server } = new pg.Client(database.connection)
    const proxy = await startSilentProxy(server)
    const listening = createDatabase({
      connection: { user, password, database: name, host: proxy.host, port: proxy.port },
      poolSize: 1,
      log,
      listenCheckMs: 50,
    })
    const [lost, gap, arrival] = [createGate(), createGate(), createGate()]
    await listening.listen('silence', arrival.open, gap.open, lost.open)
    proxy.fallSilent()
    await lost.opened
    await gap.opened
    await db.run(sql`select pg_notify('silence', 'after')`)
    await arrival.opened
    await listening.close()
    await proxy.close()
  })

  test('a message of a rolled back transaction is not sent', async () => {
    const messages: string[] = []
    const arrival = createGate()
    const stop = await db.listen(
      'rollbacks',
      (payload) => {
        messages.push(payload)
        arrival.open()
      },
      () => {},
    )
    const work = db.transaction(async (tx) => {
      await tx.run(sql`select pg_notify('rollbacks', 'lost')`)
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    await db.run(sql`select pg_notify('rollbacks', 'sent')`)
    await arrival.opened
    expect(messages).toEqual(['sent'])
    await stop()
  })
})
