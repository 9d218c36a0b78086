/** The variable that leaves out the browser journeys which only `npm run test:all` walks. */
export const WITHOUT_JOURNEYS = 'TESTS_WITHOUT_JOURNEYS'
