import { defineConfig } from 'vitest/config'

/** One project: every test runs on Node against real PostgreSQL and a real EVM; nothing is mocked by configuration. */
export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'e2e/**/*.test.ts', 'scripts/**/*.test.ts'],
    globalSetup: ['packages/server/src/testing/global-setup.ts'],
    setupFiles: ['scripts/test-seed.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // A condition comes when it comes: the default of one second fails on a busy machine.
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
    env: { TZ: 'UTC' },
  },
})
