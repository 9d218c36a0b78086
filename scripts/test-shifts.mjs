// Looks for pages that move while they load, in every order in which their parts can arrive: `npm run test:shifts`.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const { status } = spawnSync(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=verbose',
    '--testTimeout=3600000',
    'e2e/web/shifts.test.ts',
  ],
  {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
    env: { ...process.env, SHIFTS: 'all' },
  },
)
process.exit(status ?? 1)
