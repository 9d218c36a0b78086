import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { startSilentProxy } from '../../testing/processes/silent-proxy.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createDatabase, type Database } from './database.ts'
import { type Pulse, startPulse } from './pulse.ts'
import { sql } from './sql.ts'

const log = pino({ level: 'silent' })
const SILENT_TURNS = 20
let database: TestDatabase
let proxy: Awaited<ReturnType<typeof startSilentProxy>>
let pulse: Pulse
let db: Database
let turn: () => void

beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.run(sql`create table deeds (name text primary key)`)
})
afterAll(() => database.close())

const byHand = (callback: () => void) => {
  turn = callback
  return () => undefined
}

/** The timeouts of this pool are so long that only the pulse can end what waits. */
const openOn = ({ connection }: Pulse): Database =>
  createDatabase({
    connection,
    poolSize: 4,
    log,
    connectTimeoutMs: PATIENCE_MS,
    statementTimeoutMs: PATIENCE_MS,
  })

beforeEach(async () => {
  const { user = '', password = '', database: name = '', ...server } = new pg.Client(database.connection)
  proxy = await startSilentProxy(server)
  pulse = startPulse({
    connection: { user, password, database: name, host: proxy.host, port: proxy.port },
    log,
    everyTurn: byHand,
  })
  db = openOn(pulse)
  await passSlowly(5)
})
afterEach(async () => {
  proxy.goOn()
  await db.close()
  await pulse.close()
  await proxy.close()
})

async function pass(turns: number): Promise<void> {
  for (let passed = 0; passed < turns; passed += 1) {
    turn()
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Turns with so much time between them that a server that responds has responded. */
async function passSlowly(turns: number): Promise<void> {
  for (let passed = 0; passed < turns; passed += 1) {
    turn()
    const client = new pg.Client(database.connection)
    await client.connect()
    await client.query('select 1')
    await client.end()
  }
}

/** Turns until the work has failed or succeeded. */
async function passUntil(work: Promise<unknown>): Promise<void> {
  let isDone = false
  const done = () => {
    isDone = true
  }
  work.then(done, done)
  while (!isDone) await pass(1)
}

async function expectUnavailable(work: Promise<unknown>): Promise<void> {
  await passUntil(work)
  await expect(work).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: expect.any(Error) })
}

const respondsAgain = () =>
  expect
    .poll(
      async () => {
        turn()
        return pulse.isSilent()
      },
      { timeout: PATIENCE_MS },
    )
    .toBe(false)

describe('a server that stands still', () => {
  test('what waits for it is UNAVAILABLE, what comes later at once, and all is well when it goes on', async () => {
    await db.ping()
    proxy.standStill()
    // More than there are connections: some wait for one that is open, some for one that opens, some for a place.
    const works = [
      ...Array.from({ length: 6 }, () => db.ping()),
      db.transaction((tx) => tx.run(sql`insert into deeds values ('never')`)),
    ]
    await Promise.all(works.map(expectUnavailable))
    expect([pulse.isSilent(), pulse.silences()]).toEqual([true, 1])

    await expect(db.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await pass(3 * SILENT_TURNS)
    expect([pulse.isSilent(), pulse.silences()]).toEqual([true, 1])

    proxy.goOn()
    await respondsAgain()
    await db.ping()
    expect(await database.db.rows(sql`select name from deeds where name = 'never'`)).toEqual([])
  })

  test('a transaction that it holds up fails at its next statement', async () => {
    const failed = db.transaction(async (tx) => {
      await tx.run(sql`insert into deeds values ('half')`)
      proxy.standStill()
      await pass(2 * SILENT_TURNS)
      await tx.run(sql`select 1`)
    })
    await expectUnavailable(failed)
    proxy.goOn()
    await respondsAgain()
    expect(await db.rows(sql`select name from deeds where name = 'half'`)).toEqual([])
  })

  test('a commit that it received is UNAVAILABLE, and may have happened', async () => {
    const unknown = db.transaction(async (tx) => {
      await tx.run(sql`insert into deeds values ('unknown')`)
      proxy.standStill()
    })
    await expectUnavailable(unknown)
    proxy.goOn()
    await respondsAgain()
    // A repetition waits for the first to end, and finds out.
    await db.run(sql`insert into deeds values ('unknown') on conflict do nothing`)
    expect(await db.rows(sql`select name from deeds where name = 'unknown'`)).toHaveLength(1)
  })

  test('nobody waits for its goodbye', async () => {
    proxy.standStill()
    await pulse.close()
  })

  test('who listens is notified that the connection is lost, and listens again', async () => {
    const events: string[] = []
    const stop = await db.listen(
      'pulse',
      (payload) => events.push(payload),
      () => events.push('gap'),
      () => events.push('lost'),
    )
    proxy.standStill()
    await pass(2 * SILENT_TURNS)
    expect(events).toEqual(['lost'])
    proxy.goOn()
    await respondsAgain()
    await expect.poll(() => events, { timeout: PATIENCE_MS }).toEqual(['lost', 'gap'])
    await stop()
  })
})

test('connections that are lost without a word are cut, those on which something arrives are not', async () => {
  const pidOf = () => db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  await pidOf()
  proxy.fallSilent()
  const lost = pidOf()
  let isLost = false
  lost.catch(() => {
    isLost = true
  })
  await db.transaction(async (tx) => {
    while (!isLost) {
      turn()
      await tx.run(sql`select 1`)
    }
    await tx.run(sql`select 1`)
  })
  await expectUnavailable(lost)
  await respondsAgain()
  await pidOf()
})

test.runIf(process.platform === 'linux')('a local server that accepts nobody is silent', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'full-queue-'))
  const listen = `require('net').createServer().listen({ path: process.argv[1], backlog: 1 }, () => console.log())`
  const server = spawn(process.execPath, ['-e', listen, `${directory}/.s.PGSQL.5432`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout, 'data')
  server.kill('SIGSTOP')
  // Its queue takes a few, and refuses the next with EAGAIN.
  const queued: Socket[] = []
  for (let isFull = false; !isFull; ) {
    const socket = connect(`${directory}/.s.PGSQL.5432`)
    queued.push(socket)
    isFull = await once(socket, 'connect').then(
      () => false,
      () => true,
    )
  }
  const full = { host: directory, port: 5432, user: 'postgres' }
  const local = startPulse({ connection: full, log, everyTurn: byHand })
  await pass(2 * SILENT_TURNS)
  expect([local.isSilent(), local.silences()]).toEqual([true, 1])
  const pool = createDatabase({ connection: full, poolSize: 1, log })
  await expect(pool.ping()).rejects.toMatchObject({ code: 'UNAVAILABLE' })

  await pool.close()
  await local.close()
  for (const socket of queued) socket.destroy()
  server.kill('SIGKILL')
  rmSync(directory, { recursive: true })
})

describe('nothing is cut', () => {
  test('while a statement is slow and the server responds', async () => {
    const held = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = database.db.transaction(async (tx) => {
      await tx.run(sql`select pg_advisory_xact_lock(1)`)
      locked.resolve()
      await held.promise
    })
    await locked.promise
    const slow = db.run(sql`select pg_advisory_xact_lock(1)`)
    await passSlowly(3 * SILENT_TURNS)
    held.resolve()
    await holder
    expect(await slow).toBe(1)
    expect(pulse.silences()).toBe(0)
  })

  test('when the server refuses to be asked', async () => {
    const connection = { host: '127.0.0.1', port: 1, user: 'postgres' }
    const nowhere = startPulse({ connection, log, everyTurn: byHand })
    await passSlowly(2 * SILENT_TURNS)
    expect([nowhere.isSilent(), nowhere.silences()]).toEqual([false, 0])
    await nowhere.close()
  })

  test('when this process stands still for longer than the server may', async () => {
    const own = startPulse({ connection: pulse.connection, log })
    const busy = openOn(own)
    await busy.ping()
    const waiting = busy.run(sql`select pg_sleep(0.1)`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500)
    expect(await waiting).toBe(1)
    await busy.ping()
    expect(own.silences()).toBe(0)
    await busy.close()
    await own.close()
  })
})
