import { configDefaults, defineConfig } from 'vitest/config'
import { PATIENCE_MS } from './packages/server/src/testing/patience.ts'
import { longFiles, WITHOUT_LONG } from './scripts/testing/scope.ts'
import { LongestFirst } from './scripts/testing/test-order.ts'

/** Files that start the service: all that they share among themselves is what they have loaded. */
const started = ['e2e/**/*.test.ts']

/** `npm test` leaves the long files to `npm run test:all`. */
const leftOut = [...configDefaults.exclude, ...(process.env[WITHOUT_LONG] ? longFiles : [])]

/** Files that need a process to themselves: they measure it, or watch something global. */
const alone = [
  'scripts/**/*.test.ts',
  'packages/server/src/fuzz*.test.ts',
  'packages/server/src/platform/db/embedded/*.test.ts',
  'packages/server/src/platform/http/request-cost.test.ts',
  'packages/server/src/platform/queue/queue.test.ts',
  'packages/server/src/ports/storage/s3.test.ts',
  'packages/server/src/ports/wallets/cdp.test.ts',
]

const common = {
  setupFiles: ['scripts/testing/test-seed.ts'],
  // A test fails by what it asserts, never because a machine is slow or busy. These limits end only what hangs; no test
  // has one of its own.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: PATIENCE_MS } },
  // Two more than the cores of a small machine: a file waits for a browser, a database or a process for much of its time.
  maxWorkers: 4,
  env: { TZ: 'UTC' },
}

/** Every test runs on Node against real PostgreSQL and a real EVM; nothing is mocked by configuration. */
export default defineConfig({
  test: {
    ...common,
    globalSetup: ['packages/server/src/testing/global-setup.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...common,
          name: 'started service',
          globalSetup: ['e2e/service/build-service.ts'],
          include: started,
          exclude: leftOut,
          isolate: false,
        },
      },
      {
        test: {
          ...common,
          name: 'own process',
          include: alone,
          exclude: leftOut,
        },
      },
      {
        // Everything else gets what it works on as an argument and keeps nothing in modules, so that one process after
        // the other need not load and compile the whole server again: that is most of what a short file costs.
        test: {
          ...common,
          name: 'shared process',
          include: ['packages/*/src/**/*.test.ts'],
          exclude: [...alone, ...leftOut],
          isolate: false,
        },
      },
    ],
  },
})
