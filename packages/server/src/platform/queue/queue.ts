import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '@agent-marketplace/contract'
import type { PgBoss } from 'pg-boss'
import type { BaseLogger } from 'pino'
import type { TSchema } from 'typebox'
import type { Connection } from '../db/connection.ts'
import type { Database } from '../db/database.ts'
import type { Queryable } from '../db/queryable.ts'
import { sql } from '../db/sql.ts'
import type { Scrub } from '../log/scrub.ts'
import { asBossDatabase, deadLetterQueue, heartbeatSeconds, startBoss } from './boss.ts'
import {
  countDeadLetters,
  type DeadLetter,
  type DeadLetterPage,
  listDeadLetters,
  lockDeadLetter,
} from './dead-letters.ts'
import { runNext } from './run-next.ts'
import { createTask, type Task, type TaskOptions } from './task.ts'
import { createTick, type Tick, type TickHandler } from './tick.ts'
import { createTurns } from './turns.ts'
import { startWorker, type Worker } from './worker.ts'

const wakeChannel = 'queue_wake'
/** More jobs than this in one call of `runAllNow` means that they create each other endlessly. */
const runAllLimit = 10_000
/** A tick holds one connection for its lease and works on another. Side by side they would use up the pool. */
const TICKS_AT_ONCE = 3
/** Ticks that are not urgent may take long, such as archiving months: they leave one place to the urgent ones. */
const HOUSEKEEPING_AT_ONCE = 2
/** What jobs under way may take when the queue stops. A call to an agent may take longer than a process has to stop. */
const STOP_LIMIT_MS = 2_000

export interface EnqueueOptions {
  /** While a job with this key waits for its first try, another one is not added. One that is already under way does not count. */
  singletonKey?: string
  startAfterSeconds?: number
  /** Whose job it is. Of one group at most the task's `groupConcurrency` run at once, over all processes. */
  group?: string
}

export interface NewJob extends EnqueueOptions {
  payload: object
}

export interface TickOptions {
  /** Somebody waits for its outcome, such as a payment with a deadline. */
  isUrgent?: boolean
}

export interface Queue {
  /** Names a task and what to do for it. Before `start`. */
  define<Schema extends TSchema>(name: string, options: TaskOptions<Schema>): void
  /** Work to do every few seconds, by one process at a time. Before `start`. */
  every(name: string, seconds: number, handler: TickHandler, options?: TickOptions): void
  /** Adds a job; inside a transaction it exists exactly when the transaction commits. */
  enqueue(queryable: Queryable, name: string, payload: object, options?: EnqueueOptions): Promise<void>
  /** Adds several, for the price of one. */
  enqueueAll(queryable: Queryable, name: string, jobs: readonly NewJob[]): Promise<void>
  /** Creates the tables and, by default, starts working. A process that does not work can still enqueue. */
  start(options?: { isWorking?: boolean }): Promise<void>
  /** Finishes what is under way and leaves the rest to others. */
  stop(): Promise<void>
  /** Of all ticks that this program runs. */
  tickNames(): string[]
  /** These ticks once, one after the other, for code that drives the clock. */
  runTicks(names: readonly string[]): Promise<void>
  /** The jobs of these tasks that are due, until none is left; returns how many there were. */
  runTasks(names: readonly string[]): Promise<number>
  /** For tests: every tick once, then every job until none is left, without waiting for delays unless `onlyDue`. */
  runAllNow(options?: { onlyDue?: boolean }): Promise<void>
  countDeadLetters(): Promise<number>
  /** The newest first. */
  listDeadLetters(page: DeadLetterPage): Promise<DeadLetter[]>
  /**
   * Puts one back into the queue, as if for the first time; undefined when it is not there. A task that this program
   * does not know, or that takes another payload by now, is a CONFLICT.
   */
  retryDeadLetter(tx: Queryable, id: string): Promise<DeadLetter | undefined>
}

interface CreateQueueOptions {
  db: Database
  connection: Connection
  log: BaseLogger
  /** Takes configured secrets out of the failures that are kept. */
  scrub?: Scrub
  pause?: (durationMs: number) => Promise<unknown>
}

/** Durable work on PostgreSQL. Each job runs at least once, so handlers are idempotent; a job that cannot succeed is kept as a dead letter. */
export function createQueue({
  db,
  connection,
  log,
  scrub = (text) => text,
  pause = pauseFor,
}: CreateQueueOptions): Queue {
  const tasks = new Map<string, Task>()
  const ticks = new Map<string, Tick>()
  const workers = new Map<string, Worker>()
  const inTurn = createTurns(TICKS_AT_ONCE)
  const housekeeping = createTurns(HOUSEKEEPING_AT_ONCE)
  let boss: PgBoss | undefined
  let stopListening: (() => Promise<void>) | undefined

  const started = (): PgBoss => {
    if (boss === undefined) throw new Error('The queue is not started')
    return boss
  }

  const taskOf = (name: string): Task => {
    const task = tasks.get(name)
    if (task === undefined) throw new Error(`There is no task ${name}`)
    return task
  }

  const tickOf = (name: string): Tick => {
    const tick = ticks.get(name)
    if (tick === undefined) throw new Error(`There is no tick ${name}`)
    return tick
  }

  const work = async (): Promise<void> => {
    const wakeAll = () => {
      for (const worker of workers.values()) worker.wake()
    }
    stopListening = await db.listen(wakeChannel, (name) => workers.get(name)?.wake(), wakeAll)
    for (const task of tasks.values()) {
      const next = (onFound: () => void) => runNext({ boss: started(), db, task, log, scrub, onFound })
      workers.set(
        task.name,
        startWorker({ name: task.name, concurrency: task.concurrency, runNext: next, log }),
      )
    }
    for (const tick of ticks.values()) tick.start()
  }

  const enqueueAll: Queue['enqueueAll'] = async (queryable, name, jobs) => {
    if (jobs.length === 0) return
    const task = taskOf(name)
    for (const { payload } of jobs) task.check(payload)
    const inserts = jobs.map(({ payload, singletonKey = randomUUID(), startAfterSeconds, group }) => ({
      data: payload,
      singletonKey,
      ...(startAfterSeconds === undefined ? {} : { startAfter: startAfterSeconds }),
      ...(group === undefined ? {} : { group: { id: group } }),
    }))
    await started().insert(name, inserts, { db: asBossDatabase(queryable) })
    const isAnyDue = jobs.some(({ startAfterSeconds }) => startAfterSeconds === undefined)
    if (isAnyDue) await queryable.run(sql`select pg_notify(${wakeChannel}, ${name})`)
  }

  const enqueue: Queue['enqueue'] = (queryable, name, payload, options) =>
    enqueueAll(queryable, name, [{ payload, ...options }])

  /** Throws unless this program can still do what the letter asks for. */
  const checkRetry = ({ task, payload }: DeadLetter): object => {
    try {
      taskOf(task).check(payload)
    } catch (cause) {
      throw new AppError('CONFLICT', {
        message: `This version of the service cannot run ${task} with the stored payload.`,
        cause,
      })
    }
    return Object(payload)
  }

  /** Jobs may enqueue others, of each other's tasks too. */
  const runUntilNone = async (some: readonly Task[], { isEarly }: { isEarly: boolean }): Promise<number> => {
    let count = 0
    let isBusy = true
    while (isBusy) {
      isBusy = false
      for (const task of some) {
        while (await runNext({ boss: started(), db, task, log, scrub, isEarly })) {
          isBusy = true
          count += 1
          if (count > runAllLimit)
            throw new Error(`More than ${runAllLimit} jobs: does ${task.name} enqueue itself?`)
        }
      }
    }
    return count
  }

  return {
    enqueue,
    enqueueAll,

    define(name, options) {
      if (tasks.has(name)) throw new Error(`The task ${name} is defined twice`)
      tasks.set(name, createTask(name, options))
    },

    every(name, seconds, handler, { isUrgent = false } = {}) {
      if (ticks.has(name)) throw new Error(`The tick ${name} is defined twice`)
      const inItsTurn: typeof inTurn = isUrgent ? inTurn : (run) => housekeeping(() => inTurn(run))
      ticks.set(name, createTick({ db, name, seconds, handler, log, inTurn: inItsTurn }))
    },

    async start({ isWorking = true } = {}) {
      boss = await startBoss(connection, log)
      for (const task of tasks.values()) await prepareQueue(boss, task)
      if (isWorking) await work()
    },

    async stop() {
      const ended = Promise.all([...workers.values(), ...ticks.values()].map((part) => part.stop()))
      // Another process takes them up once their heartbeats are missed, as after a crash.
      const isDone = await Promise.race([ended.then(() => true), pause(STOP_LIMIT_MS).then(() => false)])
      if (!isDone) log.warn('jobs that took too long were left to other processes')
      await stopListening?.()
      workers.clear()
      await boss?.stop({ graceful: false })
      boss = undefined
    },

    tickNames: () => [...ticks.keys()],

    async runTicks(names) {
      for (const name of names) await tickOf(name).runNow()
    },

    runTasks: async (names) => runUntilNone(names.map(taskOf), { isEarly: false }),

    async runAllNow({ onlyDue = false } = {}) {
      for (const tick of ticks.values()) await tick.runNow()
      await runUntilNone([...tasks.values()], { isEarly: !onlyDue })
    },

    countDeadLetters: () => countDeadLetters(db),
    listDeadLetters: (page) => listDeadLetters(db, page),

    async retryDeadLetter(tx, id) {
      const letter = await lockDeadLetter(tx, id)
      if (letter === undefined) return undefined
      const payload = checkRetry(letter)
      await started().deleteJob(deadLetterQueue, letter.id, { db: asBossDatabase(tx) })
      await enqueue(tx, letter.task, payload)
      return letter
    },
  }
}

/** The short policy keeps one waiting job per key; jobs that name no key get one of their own. */
async function prepareQueue(boss: PgBoss, task: Task): Promise<void> {
  const settings = {
    retryLimit: task.retryLimit,
    retryDelay: task.retryDelaySeconds,
    retryBackoff: true,
    retryDelayMax: task.retryDelayMaxSeconds,
    heartbeatSeconds,
    deadLetter: deadLetterQueue,
  }
  await boss.createQueue(task.name, { ...settings, policy: 'short' })
  // The queue may be there from an earlier version of the program, with other settings.
  await boss.updateQueue(task.name, settings)
}

const pauseFor = (durationMs: number): Promise<void> => delay(durationMs, undefined, { ref: false })
