import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { isRunning, type Listed, startedBy } from './processes.ts'

const root = join(import.meta.dirname, '../..')

/** The folder of a cluster, from the command of its server. */
const folderOf = ({ command }: Listed): string | undefined => / -D (\S+)/.exec(command)?.[1]

/** One that starts a database by itself, and one that starts the service, which does; the others use the same parts. */
test.each([['packages/server/scripts/pull-exactness.ts'], ['e2e/clock/review-window.ts']])(
  '%s ends its database when it is ended',
  async (script) => {
    const child = spawn(process.execPath, [script], { cwd: root, stdio: 'ignore' })
    const exited = once(child, 'exit')
    const servers = () => startedBy(child.pid ?? 0).filter((one) => folderOf(one) !== undefined)
    await expect.poll(() => servers().length).toBeGreaterThan(0)
    const started = servers()
    child.kill('SIGTERM')
    const [code] = await exited
    expect(code).toBe(130)
    await expect.poll(() => started.filter(({ pid }) => isRunning(pid))).toEqual([])
    for (const server of started) expect(existsSync(folderOf(server) ?? '')).toBe(false)
  },
)

test('what npm has started ends with the shell that npm started it by', async () => {
  const script = 'packages/server/scripts/pull-exactness.ts'
  // A shell that has more to do waits for its child, as the one of npm does.
  const command = `"${process.execPath}" scripts/run.mjs ${script}; true`
  const shell = spawn('sh', ['-c', command], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, npm_lifecycle_event: 'start' },
  })
  const started = () => startedBy(shell.pid ?? 0)
  await expect.poll(() => started().some((one) => folderOf(one) !== undefined)).toBe(true)
  const all = started()
  shell.kill('SIGTERM')
  await expect.poll(() => all.filter(({ pid }) => isRunning(pid))).toEqual([])
})

test('what a test has started in process groups of their own ends with the test, even if that is killed', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'killed-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const program = `
    import { createChildren } from './e2e/failover/children.ts'
    const { process: child } = createChildren(${JSON.stringify(directory)}).start('sleep', ['sleep', '600'])
    console.log(child.pid)`
  const killed = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(killed.stdout), 'line')
  expect(isRunning(Number(line))).toBe(true)
  killed.kill('SIGKILL')
  await expect.poll(() => isRunning(Number(line))).toBe(false)
})
