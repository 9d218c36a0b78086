import { AppError } from '@agent-marketplace/contract'
import { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { sql } from '../db/sql.ts'
import { createQueue, type Queue } from './queue.ts'
import { RetryableError } from './retryable-error.ts'
import type { TaskContext } from './task.ts'

const log = pino({ level: 'silent' })
const schema = Type.Object({ n: Type.Integer() })
let database: TestDatabase
let queues: Queue[]

beforeEach(async () => {
  database = await createTestDatabase()
  queues = []
})
afterEach(async () => {
  await Promise.all(queues.map((queue) => queue.stop()))
  await database.close()
})

function create(): Queue {
  const queue = createQueue({ db: database.db, connection: database.connection, log })
  queues.push(queue)
  return queue
}

/** A queue with one task that remembers what it was given, run by hand. */
async function createManual(
  handle: (n: number, context: TaskContext) => Promise<void> = async () => {},
  retryLimit = 3,
) {
  const queue = create()
  const seen: number[] = []
  queue.define('note', {
    schema,
    retryLimit,
    handler: async ({ n }, context) => {
      seen.push(n)
      await handle(n, context)
    },
  })
  await queue.start({ isWorking: false })
  return { queue, seen, enqueue: (n: number) => queue.enqueue(database.db, 'note', { n }) }
}

function createGate(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

test('named tasks run until none of their due jobs is left, and no tick runs for it', async () => {
  const queue = create()
  const seen: number[] = []
  let ticked = 0
  for (const name of ['note', 'other'])
    queue.define(name, { schema, handler: async ({ n }) => void seen.push(n) })
  queue.every('count', 60, async () => {
    ticked += 1
  })
  expect(queue.tickNames()).toEqual(['count'])
  await queue.start({ isWorking: false })
  await queue.enqueueAll(database.db, 'note', [
    { payload: { n: 1 } },
    { payload: { n: 2 } },
    { payload: { n: 3 }, startAfterSeconds: 3600 },
  ])
  await queue.enqueue(database.db, 'other', { n: 4 })
  expect(await queue.runTasks(['note'])).toBe(2)
  expect([seen, ticked]).toEqual([[1, 2], 0])
  await expect(queue.runTasks(['unknown'])).rejects.toThrow('There is no task unknown')
})

describe('enqueue', () => {
  test('several jobs are added at once, each key once, and none when one of them does not fit', async () => {
    const { queue, seen } = await createManual()
    const { db } = database
    await queue.enqueueAll(db, 'note', [])
    await queue.enqueueAll(db, 'note', [
      { payload: { n: 1 } },
      { payload: { n: 2 }, singletonKey: 'two' },
      { payload: { n: 2 }, singletonKey: 'two' },
      { payload: { n: 3 }, startAfterSeconds: 3600 },
    ])
    const unfit = queue.enqueueAll(db, 'note', [{ payload: { n: 4 } }, { payload: { n: 'five' } }])
    await expect(unfit).rejects.toThrow('does not fit')
    await queue.runAllNow({ onlyDue: true })
    expect(seen.sort()).toEqual([1, 2])
    await queue.runAllNow()
    expect(seen.sort()).toEqual([1, 2, 3])
  })

  test('a job exists exactly when its transaction commits', async () => {
    const { queue, seen } = await createManual()
    await database.db.transaction((tx) => queue.enqueue(tx, 'note', { n: 1 }))
    const failing = database.db.transaction(async (tx) => {
      await queue.enqueue(tx, 'note', { n: 2 })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await queue.runAllNow()
    expect(seen).toEqual([1])
  })

  test('jobs with one key are merged while they wait, and jobs without a key never are', async () => {
    const { queue, seen, enqueue } = await createManual()
    await database.db.transaction(async (tx) => {
      await queue.enqueue(tx, 'note', { n: 1 }, { singletonKey: 'k' })
      await queue.enqueue(tx, 'note', { n: 2 }, { singletonKey: 'k' })
      await queue.enqueue(tx, 'note', { n: 3 }, { singletonKey: 'other' })
    })
    await enqueue(4)
    await enqueue(4)
    await queue.runAllNow()
    expect(seen.toSorted()).toEqual([1, 3, 4, 4])
  })

  test('a job that is under way does not swallow the next one with its key', async () => {
    const { queue, seen } = await createManual(async (n) => {
      if (n === 1) await queue.enqueue(database.db, 'note', { n: 2 }, { singletonKey: 'k' })
    })
    await queue.enqueue(database.db, 'note', { n: 1 }, { singletonKey: 'k' })
    await queue.runAllNow()
    expect(seen).toEqual([1, 2])
  })

  test('a delayed job is not due', async () => {
    const { queue, seen } = await createManual()
    await queue.enqueue(database.db, 'note', { n: 1 }, { startAfterSeconds: 3600 })
    await queue.runAllNow({ onlyDue: true })
    expect(seen).toEqual([])
    await queue.runAllNow()
    expect(seen).toEqual([1])
  })

  test('refuses a payload that does not fit, and an unknown task', async () => {
    const { queue } = await createManual()
    await expect(queue.enqueue(database.db, 'note', { n: 'one' })).rejects.toThrow(/payload of note/)
    await expect(queue.enqueue(database.db, 'unknown', {})).rejects.toThrow('no task unknown')
  })
})

describe('a failing task', () => {
  test('is tried again when it says so', async () => {
    const attempts: number[] = []
    const { queue, enqueue } = await createManual(async (_, { attempt }) => {
      attempts.push(attempt)
      if (attempt < 3) throw new RetryableError('not yet')
    })
    await enqueue(1)
    await queue.runAllNow({ onlyDue: true })
    expect(attempts).toEqual([1])
    await queue.runAllNow()
    expect(attempts).toEqual([1, 2, 3])
    expect(await queue.countDeadLetters()).toBe(0)
  })

  test('is tried again when a part that it needs is not available', async () => {
    const { queue, seen, enqueue } = await createManual(async (_, { attempt }) => {
      if (attempt === 1) throw new AppError('UNAVAILABLE')
    })
    await enqueue(1)
    await queue.runAllNow()
    expect(seen).toEqual([1, 1])
  })

  test('becomes a dead letter when its tries are used up', async () => {
    const { queue, seen, enqueue } = await createManual(async () => {
      throw new RetryableError('never')
    }, 2)
    await enqueue(7)
    await queue.runAllNow()
    expect(seen).toEqual([7, 7, 7])
    expect(await queue.countDeadLetters()).toBe(1)
    expect(await queue.listDeadLetters({ limit: 10 })).toEqual([
      {
        id: expect.any(String),
        task: 'note',
        payload: { n: 7 },
        reason: { message: 'never' },
        at: expect.any(Date),
        position: expect.any(String),
      },
    ])
  })

  test('becomes a dead letter at once when it does not ask for another try; others go on', async () => {
    const { queue, seen, enqueue } = await createManual(async (n) => {
      if (n === 1) throw new Error('broken')
    })
    await enqueue(1)
    await enqueue(2)
    await queue.runAllNow()
    expect(seen.toSorted()).toEqual([1, 2])
    expect(await queue.listDeadLetters({ limit: 10 })).toMatchObject([
      { payload: { n: 1 }, reason: { message: 'broken' } },
    ])
  })

  test('a stored payload that no longer fits its task is a dead letter', async () => {
    const { queue: old, enqueue } = await createManual()
    await enqueue(1)
    await old.stop()
    const queue = create()
    queue.define('note', {
      schema: Type.Object({ text: Type.String() }),
      handler: async () => expect.unreachable(),
    })
    await queue.start({ isWorking: false })
    await queue.runAllNow()
    expect(await queue.listDeadLetters({ limit: 10 })).toMatchObject([{ payload: { n: 1 } }])
  })
})

describe('workers', () => {
  test('start on jobs at once, side by side up to their limit', async () => {
    const queue = create()
    const bothRunning = createGate()
    let running = 0
    let most = 0
    let done = 0
    queue.define('note', {
      schema,
      concurrency: 2,
      handler: async () => {
        running += 1
        most = Math.max(most, running)
        if (running === 2) bothRunning.open()
        await bothRunning.opened
        running -= 1
        done += 1
      },
    })
    // The floor under the wake-ups never comes: what is worked on is what a commit has woken the workers for.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await queue.start()
    await database.db.transaction(async (tx) => {
      for (let n = 0; n < 40; n += 1) await queue.enqueue(tx, 'note', { n })
    })
    await expect.poll(() => done, { interval: 5 }).toBe(40)
    expect(most).toBe(2)
  })

  test('of several processes run each job once', async () => {
    const seen: number[] = []
    const handler = async ({ n }: { n: number }) => void seen.push(n)
    const [first, second] = [create(), create()]
    for (const queue of [first, second]) queue.define('note', { schema, handler, concurrency: 3 })
    await Promise.all([first.start(), second.start()])
    const numbers = Array.from({ length: 60 }, (_, n) => n)
    await Promise.all(numbers.map((n) => (n % 2 ? first : second).enqueue(database.db, 'note', { n })))
    await expect.poll(() => seen.length, { interval: 5 }).toBe(60)
    await Promise.all([first.stop(), second.stop()])
    expect(seen.toSorted((a, b) => a - b)).toEqual(numbers)
  })

  test('finish what is under way before they stop, and begin nothing more', async () => {
    const queue = create()
    const [begun, mayEnd] = [createGate(), createGate()]
    const finished: number[] = []
    queue.define('note', {
      schema,
      handler: async ({ n }) => {
        begun.open()
        await mayEnd.opened
        finished.push(n)
      },
    })
    await queue.start()
    await queue.enqueue(database.db, 'note', { n: 1 })
    await queue.enqueue(database.db, 'note', { n: 2 })
    await begun.opened
    const stopping = queue.stop()
    mayEnd.open()
    await stopping
    expect(finished).toEqual([1])
    const states = await database.db.rows(sql`select state::text from pgboss.job order by created_on`)
    expect(states).toEqual([{ state: 'completed' }, { state: 'created' }])
  })

  test('do not wait for long for what is under way: it is taken up again elsewhere', async () => {
    const pauses: (() => void)[] = []
    const pause = () => new Promise<void>((resolve) => pauses.push(resolve))
    const queue = createQueue({ db: database.db, connection: database.connection, log, pause })
    const [begun, mayEnd] = [createGate(), createGate()]
    queue.define('note', {
      schema,
      handler: async () => {
        begun.open()
        await mayEnd.opened
      },
    })
    await queue.start()
    await queue.enqueue(database.db, 'note', { n: 1 })
    await begun.opened
    const stopping = queue.stop()
    await expect.poll(() => pauses.length).toBe(1)
    pauses[0]?.()
    await stopping
    const states = await database.db.rows(sql`select state::text from pgboss.job`)
    expect(states).toEqual([{ state: 'active' }])
    mayEnd.open()
  })

  test('go on after every connection was cut', async () => {
    const queue = create()
    const seen: number[] = []
    queue.define('note', { schema, handler: async ({ n }) => void seen.push(n) })
    await queue.start()
    await queue.enqueue(database.db, 'note', { n: 1 })
    await expect.poll(() => seen.length, { interval: 5 }).toBe(1)
    await database.db.rows(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    await queue.enqueue(database.db, 'note', { n: 2 })
    await expect.poll(() => seen, { interval: 5 }).toEqual([1, 2])
  })

  test('a worker that was not heard of loses its job, and its late response counts for nothing', async () => {
    const [begun, mayEnd] = [createGate(), createGate()]
    const { queue: paused, enqueue } = await createManual(async () => {
      begun.open()
      await mayEnd.opened
      throw new Error('too late to matter')
    })
    const { queue: other, seen } = await createManual()
    await enqueue(1)
    const late = paused.runAllNow()
    await begun.opened
    await database.db.run(
      sql`update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
    )
    const supervisor = new PgBoss({ ...database.connection, supervise: false, schedule: false })
    await supervisor.start()
    await supervisor.supervise()
    await supervisor.stop({ graceful: false })

    await other.runAllNow()
    expect(seen).toEqual([1])
    mayEnd.open()
    await late
    expect(await other.countDeadLetters()).toBe(0)
    expect(await database.db.rows(sql`select state::text from pgboss.job`)).toEqual([{ state: 'completed' }])
  })
})

describe('ticks', () => {
  test('the named ones run once, in their order; a name that nobody has is a mistake', async () => {
    const ran: string[] = []
    const queue = create()
    for (const name of ['clean', 'sweep', 'count']) queue.every(name, 3600, async () => void ran.push(name))
    await queue.start({ isWorking: false })
    await queue.runTicks(['count', 'clean'])
    expect(ran).toEqual(['count', 'clean'])
    await expect(queue.runTicks(['mow'])).rejects.toThrow('no tick mow')
  })

  test('run in one process at a time; a request for one that is running gets the next run', async () => {
    const [first, second] = [create(), create()]
    const [begun, mayEnd] = [createGate(), createGate()]
    const steps: string[] = []
    first.every('sweep', 3600, async () => {
      steps.push('first begins')
      begun.open()
      await mayEnd.opened
      steps.push('first ends')
    })
    second.every('sweep', 3600, async () => void steps.push('second'))
    await Promise.all([first, second].map((queue) => queue.start({ isWorking: false })))
    const long = first.runAllNow()
    await begun.opened
    const behind = second.runTicks(['sweep'])
    mayEnd.open()
    await Promise.all([long, behind])
    expect(steps).toEqual(['first begins', 'first ends', 'second'])
  })

  test('run at the start, again after their time, and also after one failed', async () => {
    const queue = create()
    const third = createGate()
    let runs = 0
    queue.every('sweep', 0.01, async () => {
      runs += 1
      if (runs === 1) throw new Error('this is logged')
      if (runs === 3) third.open()
    })
    await queue.start()
    await third.opened
    await queue.stop()
    const after = runs
    await database.db.ping()
    expect(runs).toBe(after)
  })

  test('that are not urgent leave a place to urgent ones, however long they take', async () => {
    const queue = create()
    const [urgent, mayEnd] = [createGate(), createGate()]
    for (const name of ['months', 'audit', 'scores', 'files']) queue.every(name, 3600, () => mayEnd.opened)
    queue.every('releases', 3600, async () => urgent.open(), { isUrgent: true })
    await queue.start()
    await urgent.opened
    mayEnd.open()
  })

  test('leave off when their process stops, which is no failure', async () => {
    const logged = vi.spyOn(log, 'error')
    onTestFinished(() => logged.mockRestore())
    const queue = create()
    const begun = createGate()
    queue.every('sweep', 3600, async (signal) => {
      begun.open()
      while (true) {
        await database.db.ping()
        signal.throwIfAborted()
      }
    })
    await queue.start()
    await begun.opened
    await queue.stop()
    expect(logged).not.toHaveBeenCalled()
  })

  test('pass to another process at once when the connection of the first breaks', async () => {
    const [first, second] = [create(), create()]
    const [begun, mayEnd] = [createGate(), createGate()]
    const ran: string[] = []
    first.every('sweep', 3600, async () => {
      ran.push('first')
      begun.open()
      await mayEnd.opened
    })
    second.every('sweep', 3600, async () => void ran.push('second'))
    await Promise.all([first, second].map((queue) => queue.start({ isWorking: false })))
    const cut = expect(first.runAllNow()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await begun.opened
    await database.db.rows(sql`select pg_terminate_backend(pid, 5000) from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`)
    await second.runAllNow()
    expect(ran).toEqual(['first', 'second'])
    mayEnd.open()
    await cut
  })
})
