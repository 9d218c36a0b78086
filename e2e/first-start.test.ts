import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isRunning, startedBy } from '../scripts/testing/processes.ts'
import { layOutFreshInstallation } from './service/fresh-installation.ts'
import { endServices, freePort, startService, temporaryDirectory } from './service/service-process.ts'

const directory = temporaryDirectory()
afterAll(async () => {
  await endServices()
  directory.remove()
})

test('the first start builds the page while it prepares a sandbox, can be interrupted, and serves both', async () => {
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
  const pages = () =>
    readdirSync(join(installation, 'packages/web')).filter((name) => name.startsWith('dist'))

  const interrupted = await startService(options, 'Preparing the sandbox')
  const started = () => startedBy(interrupted.process.pid ?? 0)
  await expect.poll(() => started().some(({ command }) => command.includes('postgres -D'))).toBe(true)
  const all = started()
  expect(await interrupted.end('SIGTERM')).toBe(130)
  expect(all.filter(({ pid }) => isRunning(pid))).toEqual([])
  expect(readdirSync(prepared).filter((name) => !name.startsWith('service.'))).toEqual([])
  expect([existsSync(options.dataDir), pages()]).toEqual([false, []])

  const first = await startService(options)
  expect(first.output().split('\n').slice(0, 3)).toEqual([
    'Building the web page (once)',
    'Preparing the sandbox (once)',
    'It begins as a copy of the prepared sandbox. PREPARED_DIR=off makes a new one.',
  ])
  expect(await (await fetch(first.url)).text()).toContain('<script type="module"')
  expect(await first.end('SIGTERM')).toBe(0)
  expect(pages()).toEqual(['dist'])

  const second = await startService(options)
  expect(second.output()).toMatch(/^Agent Marketplace \(sandbox\) is ready/)
  expect(await second.end('SIGTERM')).toBe(0)
})
