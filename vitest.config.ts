import { defineConfig } from 'vitest/config'
import { PATIENCE_MS } from './packages/server/src/testing/patience.ts'
import { LongestFirst } from './scripts/test-order.ts'

/** What only computes: these files share two processes, so that what they import is loaded twice instead of once for each. */
const sharing = ['packages/{contract,web}/src/**/*.test.ts', 'packages/sdk/src/**/!(*.chain).test.ts']

const common = {
  setupFiles: ['scripts/test-seed.ts'],
  // A test fails by what it asserts, never because a machine is slow or busy. These limits end only what hangs; no test
  // has one of its own.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  teardownTimeout: 120_000,
  expect: { poll: { timeout: PATIENCE_MS } },
  maxWorkers: 2,
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
          name: 'own process',
          include: ['packages/*/src/**/*.test.ts', 'e2e/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: sharing,
        },
      },
      { test: { ...common, name: 'shared process', include: sharing, isolate: false } },
    ],
  },
})
