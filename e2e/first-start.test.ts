import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isRunning, startedBy } from '../scripts/testing/processes.ts'
import { layOutFreshInstallation } from './service/fresh-installation.ts'
import {
  endServices,
  freePort,
  runService,
  startService,
  temporaryDirectory,
} from './service/service-process.ts'

const directory = temporaryDirectory()
afterAll(async () => {
  await endServices()
  directory.remove()
})

test('the first start builds the page while it prepares a sandbox, ends both when one cannot go on, and serves both', async () => {
  const installation = join(directory.path, 'installation')
  layOutFreshInstallation(installation)
  const prepared = join(directory.path, 'prepared')
  const options = {
    dataDir: join(directory.path, 'data'),
    port: await freePort(),
    environment: { PREPARED_DIR: prepared },
    asCommand: true,
    installation,
  }
  // With the demo data, so that a preparation is never done before it is to be ended.
  const slow = { ...options, environment: { ...options.environment, DEMO: 'on' } }
  /** Parts of a page, of a sandbox, or of data. */
  const leftBehind = () => [
    ...readdirSync(join(installation, 'packages/web')).filter((name) => name.startsWith('dist.next')),
    ...readdirSync(prepared).filter((name) => !name.startsWith('service.')),
    ...readdirSync(directory.path).filter((name) => name === 'data'),
  ]

  const interrupted = await startService(slow, 'Preparing the sandbox')
  const started = () => startedBy(interrupted.process.pid ?? 0)
  await expect.poll(() => started().some(({ command }) => command.includes('postgres -D'))).toBe(true)
  const all = started()
  expect(await interrupted.end('SIGTERM')).toBe(130)
  expect(interrupted.output()).not.toContain('could not')
  expect(all.filter(({ pid }) => isRunning(pid))).toEqual([])
  expect(leftBehind()).toEqual([])

  const page = join(installation, 'packages/web/index.html')
  const rightPage = readFileSync(page, 'utf8')
  writeFileSync(page, rightPage.replaceAll('/src/', '/nowhere/'))
  const failed = await runService(slow)
  expect([failed.code, failed.output]).toEqual([
    1,
    expect.stringContaining('The web page could not be built.'),
  ])
  expect(leftBehind()).toEqual([])
  writeFileSync(page, rightPage)

  const first = await startService(options)
  for (const line of ['Building the web page (once)', 'Preparing the sandbox (once)', 'It begins as a copy'])
    expect(first.output()).toContain(line)
  expect(await (await fetch(first.url)).text()).toContain('<script type="module"')
  expect(await first.end('SIGTERM')).toBe(0)

  const second = await startService(options)
  expect(second.output()).toMatch(/^Agent Marketplace \(sandbox\) is ready/)
  expect(await second.end('SIGTERM')).toBe(0)
})
