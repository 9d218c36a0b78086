import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isRunning } from '../testing/processes.ts'
import { prepareSandbox } from './prepare-sandbox.mjs'

const directory = mkdtempSync(join(tmpdir(), 'prepare-sandbox-'))
afterAll(() => rmSync(directory, { recursive: true }))
const begun = join(directory, 'begun')

/** Runs this program as the one that prepares; waits of its time limit end at once when it has begun. */
async function run(program: string): Promise<{ lines: string[]; waitedMs: number[]; id: number }> {
  rmSync(begun, { force: true })
  const begin = `import { writeFileSync } from 'node:fs'\n${program}\nwriteFileSync(${JSON.stringify(begun)}, String(process.pid))`
  writeFileSync(join(directory, 'prepare.mjs'), begin)
  const idOf = () => (existsSync(begun) ? Number(readFileSync(begun, 'utf8')) : 0)
  const lines: string[] = []
  const waitedMs: number[] = []
  await prepareSandbox({
    nodePath: process.execPath,
    env: process.env,
    service: join(directory, 'main.mjs'),
    cwd: directory,
    signal: new AbortController().signal,
    availableBytes: Number.POSITIVE_INFINITY,
    say: (line) => void lines.push(line),
    sleep: async (ms) => {
      waitedMs.push(ms)
      await expect.poll(idOf).toBeGreaterThan(0)
    },
  })
  return { lines, waitedMs, id: idOf() }
}

test('a preparation that takes too long is ended, by force where it does not end, and said in a line', async () => {
  const { lines, waitedMs, id } = await run("process.on('SIGTERM', () => {})\nsetInterval(() => {}, 60_000)")
  expect(waitedMs).toEqual([90_000, 5_000])
  expect(lines).toEqual(['The sandbox was not prepared within 90 seconds, so the start makes it.'])
  expect(isRunning(id)).toBe(false)
})
