import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Runs vitest to its end and returns its exit code. A signal is passed on: vitest then ends what the tests have started. */
export async function runVitest(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<number> {
  const child = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  const [code] = await once(child, 'exit')
  return code ?? 1
}
