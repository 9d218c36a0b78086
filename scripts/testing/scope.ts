/** The variable that leaves out what only `npm run test:all` runs. */
export const WITHOUT_LONG = 'TESTS_WITHOUT_LONG'

/** What takes long and is seldom broken by a change elsewhere: the page in detail, first starts, and packages as they are published. */
export const longFiles = [
  'e2e/web/journeys/*.test.ts',
  'e2e/start.test.ts',
  'e2e/http-agent.test.ts',
  'scripts/building/packages.test.ts',
]
