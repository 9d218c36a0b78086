/** The variable that leaves out what only `npm run test:all` runs. */
export const WITHOUT_LONG = 'TESTS_WITHOUT_LONG'

/**
 * What takes long and is seldom broken by a change elsewhere: the page in detail, programs and databases that are started,
 * killed and reset, and packages as they are published.
 */
export const longFiles = [
  'e2e/web/journeys/*.test.ts',
  'e2e/start.test.ts',
  'e2e/first-start.test.ts',
  'e2e/sandbox-reset.test.ts',
  'e2e/prepared-sandbox.test.ts',
  'e2e/preparation.test.ts',
  'e2e/money-reread.test.ts',
  'e2e/large-files.test.ts',
  'e2e/a2a-agent.test.ts',
  'e2e/http-agent.test.ts',
  'e2e/several-processes.test.ts',
  'packages/chain/src/devnet/killedDevnet.chain.test.ts',
  'packages/server/src/platform/db/embedded/*.test.ts',
  'packages/server/src/platform/http/request-cost.test.ts',
  'scripts/building/packages.test.ts',
  'scripts/testing/interrupted.test.ts',
]
