import { pbkdf2 } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createAccessLog } from '../fast/access-log.ts'
import { createLog } from './log.ts'

const now = new Date('2026-11-15T12:00:00.000Z')
const completed = {
  requestId: 'req_0123456789',
  method: 'GET',
  route: '/api/agents/:wallet',
  status: 200,
  milliseconds: 1.2345,
  ownerId: 'cowner00000000000000000000',
}

function createTestLog(level: string) {
  const lines: string[] = []
  const logs = createLog({ level, destination: { write: (line) => void lines.push(line) } })
  return { ...logs, lines }
}

test('the line of a response is what the logger itself would write', () => {
  const { accessLog, lines } = createTestLog('info')
  createAccessLog(accessLog)(completed, now)
  const { milliseconds: _, ownerId, ...shown } = completed
  accessLog.info({ ...shown, ms: 1.2, ownerId }, 'request completed')
  const [own = '', usual = ''] = lines
  const withoutTime = (line: string) => line.replace(/"time":\d+/, '')
  expect(withoutTime(own)).toBe(withoutTime(usual))
  expect(JSON.parse(own)).toMatchObject({ time: now.getTime(), ms: 1.2 })
})

test('a caller who is not signed in is not named, and a quiet log stays quiet', () => {
  const loud = createTestLog('info')
  createAccessLog(loud.accessLog)({ ...completed, ownerId: undefined }, now)
  expect(JSON.parse(loud.lines[0] ?? '')).not.toHaveProperty('ownerId')
  const quiet = createTestLog('warn')
  createAccessLog(quiet.accessLog)(completed, now)
  expect(quiet.lines).toEqual([])
})

test('secrets do not reach the log', () => {
  const { log, lines } = createTestLog('info')
  log.info({ token: 'hunter2', request: { authorization: 'hunter2', deep: { email: 'hunter2' } } }, 'x')
  expect(lines[0]).not.toContain('hunter2')
})

test('both loggers write to one file, in order', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'test-log-'))
  const file = await open(join(directory, 'log'), 'w')
  const { log, accessLog, flush } = createLog({ level: 'info', fd: file.fd })
  log.info('first')
  createAccessLog(accessLog)(completed, now)
  log.info('third')
  // All threads that write files for others are busy: what is flushed is written by the caller itself.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('', '', 100_000, 64, 'sha512'))
  flush()
  const lines = readFileSync(join(directory, 'log'), 'utf8').trimEnd().split('\n')
  await Promise.all(busy)
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['first', 'request completed', 'third'])
  await file.close()
  await rm(directory, { recursive: true })
})
