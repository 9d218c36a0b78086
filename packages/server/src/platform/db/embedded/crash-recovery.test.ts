import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { lockDataDirectory } from '../data-directory.ts'
import { createDatabase } from '../database.ts'
import { sql } from '../sql.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { findPostgresHome } from './postgres-home.ts'
import { readPostmasterFile } from './postgres-leftover.ts'

const log = pino({ level: 'silent' })
const writerCount = 8
const wantedAfterEachCrash = 200

test('kill -9 under load loses no acknowledged write, and service returns within five seconds', async () => {
  const directory = await mkdtemp('/tmp/crash-')
  await chmod(directory, 0o711)
  const dataDir = lockDataDirectory(directory)
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  const db = createDatabase({ connection: postgres.connection, poolSize: 6, log })
  await db.run(sql`create table entry (id int primary key)`)

  const acknowledged: number[] = []
  const failureCodes = new Set<unknown>()
  let failureCount = 0
  let nextId = 0
  let isDone = false
  const write = async () => {
    while (!isDone) {
      const id = nextId++
      try {
        await db.transaction((tx) => tx.run(sql`insert into entry values (${id})`))
        acknowledged.push(id)
      } catch (error) {
        failureCount += 1
        failureCodes.add(error instanceof Error && 'code' in error ? error.code : error)
        // A client that gets Retry-After does not hammer.
        await delay(10)
      }
    }
  }
  const writers = Array.from({ length: writerCount }, write)
  const untilWritten = (count: number) =>
    expect.poll(() => acknowledged.length, { interval: 5 }).toBeGreaterThan(count)

  await untilWritten(wantedAfterEachCrash)
  const outagesMs: number[] = []
  for (const _ of [1, 2]) {
    const { cluster } = await findPostgresHome(directory)
    const server = await readPostmasterFile(cluster)
    process.kill(server?.pid ?? expect.unreachable('no server'), 'SIGKILL')
    const killedAt = performance.now()
    const failuresBefore = failureCount
    // Responses in transit may still arrive; what is acknowledged after all writers failed is the new server's.
    await expect
      .poll(() => failureCount - failuresBefore, { interval: 1 })
      .toBeGreaterThanOrEqual(writerCount)
    await untilWritten(acknowledged.length)
    outagesMs.push(performance.now() - killedAt)
    await untilWritten(acknowledged.length + wantedAfterEachCrash)
  }
  isDone = true
  await Promise.all(writers)

  const rows = await db.rows<{ id: number }>(sql`select id from entry`)
  const stored = new Set(rows.map(({ id }) => id))
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
  expect([...failureCodes]).toEqual(['UNAVAILABLE'])
  expect(Math.max(...outagesMs)).toBeLessThan(PATIENCE_MS)
  await db.close()
  await postgres.stop()
  dataDir.release()
  await rm(directory, { recursive: true })
})
