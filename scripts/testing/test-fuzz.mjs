// A long run of the fuzz test: `npm run test:fuzz -- --requests 10000 --seed 7`. It prints its seed, which repeats the run.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string' } },
})
const env = {
  ...process.env,
  FUZZ_REQUESTS: values.requests,
  ...(values.seed === undefined ? {} : { FUZZ_SEED: values.seed }),
}
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--reporter=verbose', 'packages/server/src/fuzz-long.test.ts'],
  { cwd: join(import.meta.dirname, '../..'), stdio: 'inherit', env },
)
process.exit(status ?? 1)
