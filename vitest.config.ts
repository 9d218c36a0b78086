import { defineConfig } from 'vitest/config'
import { PATIENCE_MS } from './packages/server/src/testing/patience.ts'

/** One project: every test runs on Node against real PostgreSQL and a real EVM; nothing is mocked by configuration. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'e2e/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['packages/server/src/testing/global-setup.ts'],
    setupFiles: ['scripts/test-seed.ts'],
    // A test fails by what it asserts, never because a machine is slow or busy. These limits end only what hangs; no test
    // has one of its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    maxWorkers: 2,
    env: { TZ: 'UTC' },
  },
})
