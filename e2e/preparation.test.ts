import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isRunning } from '../scripts/testing/processes.ts'
import {
  endServices,
  freePort,
  runService,
  type ServiceOptions,
  startService,
  temporaryDirectory,
} from './service/service-process.ts'

const COPIED = 'It begins as a copy of the prepared sandbox.'
const PREPARING = 'Preparing the sandbox (once)\n'

const directory = temporaryDirectory()
afterAll(async () => {
  await endServices()
  directory.remove()
})

const port = await freePort()
const place = (name: string): string => join(directory.path, name)

const optionsOf = (name: string, environment: Record<string, string> = {}): ServiceOptions => ({
  dataDir: place(`${name}-data`),
  port,
  environment: { PREPARED_DIR: place(name), ...environment },
})

const prepare = (options: ServiceOptions) => runService({ ...options, preparesOnly: true })

/** The process id of the database; the file may be there before it is in it. */
async function serverIdOf(cluster: () => string): Promise<number> {
  const file = () => join(cluster(), 'postmaster.pid')
  const read = () => (existsSync(file()) ? Number.parseInt(readFileSync(file(), 'utf8'), 10) : 0)
  await expect.poll(read).toBeGreaterThan(0)
  return read()
}

/** Copies, and what else was left beside them. */
const leftIn = (name: string): string[] =>
  existsSync(place(name))
    ? readdirSync(place(name))
        .filter((entry) => !entry.startsWith('service.'))
        .sort()
    : []

const aCopy = expect.stringMatching(/^[0-9a-f]{20}-[0-9a-f]{12}$/)

test('the first start begins with what was prepared, and nothing is prepared that no start would take', async () => {
  const options = optionsOf('first')
  expect(await prepare(options)).toEqual({ code: 0, output: PREPARING })
  expect(leftIn('first')).toEqual([aCopy])
  expect(existsSync(options.dataDir)).toBe(false)
  expect(await prepare(options)).toEqual({ code: 0, output: '' })

  const service = await startService(options)
  expect(service.output()).toContain(COPIED)
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200)
  const serverId = await serverIdOf(() => join(options.dataDir, 'postgres'))
  // As when its terminal is closed.
  expect(await service.end('SIGHUP')).toBe(0)
  expect(isRunning(serverId)).toBe(false)
  rmSync(place('first'), { recursive: true })
  expect(await prepare(options)).toEqual({ code: 0, output: '' })
  expect(existsSync(place('first'))).toBe(false)

  // What is there goes, so the start makes a new one.
  writeFileSync(join(options.dataDir, 'reset-asked-for'), '')
  expect(await prepare(options)).toEqual({ code: 0, output: PREPARING })
  expect(leftIn('first')).toEqual([aCopy])
})

test.each<[string, Record<string, string>]>([
  ['no copies are wanted', { PREPARED_DIR: 'off' }],
  ['copies would lie in the data directory', { PREPARED_DIR: place('none-data/copies') }],
  ['the data directory would be theirs', { PREPARED_DIR: place('none-data') }],
  ['the database is another one', { DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/market' }],
  ['a setting is wrong', { MODE: 'staging' }],
  ['the role needs production', { ROLE: 'api' }],
  ['the data directory is a file', { DATA_DIR: import.meta.filename }],
  ['a setting is missing in production', { MODE: 'production' }],
])('nothing is prepared and nothing said where %s', async (_, environment) => {
  expect(await prepare(optionsOf('none', environment))).toEqual({ code: 0, output: '' })
  expect([existsSync(place('none')), existsSync(place('none-data'))]).toEqual([false, false])
})

test('a folder that cannot be made is one line, and the start does without it', async () => {
  const { code, output } = await prepare(optionsOf('none', { PREPARED_DIR: '/proc/none' }))
  expect([code, output.split('\n')]).toEqual([
    0,
    [
      PREPARING.trim(),
      expect.stringMatching(/^The sandbox could not be prepared, so the start makes it: .*\/proc\/none/),
      '',
    ],
  ])
})

test('nothing is prepared where the port is taken', async () => {
  const blocker = createServer().listen(port, '127.0.0.1')
  expect(await prepare(optionsOf('none'))).toEqual({ code: 0, output: '' })
  blocker.close()
  expect(existsSync(place('none'))).toBe(false)
})

test('a preparation that is ended leaves nothing, and what one that is killed leaves is removed by the start', async () => {
  const options = optionsOf('ended')
  const beginning = async () => {
    const preparation = await startService({ ...options, preparesOnly: true }, 'Preparing')
    const serverId = await serverIdOf(() => join(place('ended'), leftIn('ended')[0] ?? '', 'postgres'))
    return { preparation, serverId }
  }
  const ended = await beginning()
  expect(await ended.preparation.end('SIGTERM')).toBe(0)
  expect([isRunning(ended.serverId), leftIn('ended')]).toEqual([false, []])

  const killed = await beginning()
  expect(await killed.preparation.end('SIGKILL')).toBe(null)
  expect(leftIn('ended')).toEqual([expect.stringMatching(/^making-/)])
  // Somebody else's link to something that is ours.
  const link = 'making-0123456789ab'
  mkdirSync(place('precious/postgres'), { recursive: true })
  symlinkSync(place('precious'), join(place('ended'), link))
  const service = await startService(options)
  expect(service.output()).not.toContain(COPIED)
  expect([isRunning(killed.serverId), leftIn('ended')]).toEqual([false, [aCopy, link]])
  expect(readdirSync(place('precious'))).toEqual(['postgres'])
  expect(await service.end('SIGTERM')).toBe(0)
})
