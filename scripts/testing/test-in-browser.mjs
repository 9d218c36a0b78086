// The long runs in a browser. `npm run test:pages` looks at every page and dialog on both screens, and at pages without their
// data, `npm run test:journeys` walks every journey on both, and `npm run test:shifts` looks for pages that move while they
// load, in every order in which their parts can arrive.
import { runVitest } from './run-vitest.ts'

const files = {
  pages: ['pages', 'without-responses', 'dialogs'].map((name) => `e2e/web/journeys/${name}.test.ts`),
  journeys: ['e2e/web/'],
  shifts: ['e2e/web/journeys/shifts.test.ts'],
}
const [name] = process.argv.slice(2)
const args = ['--reporter=verbose', '--testTimeout=3600000', ...files[name]]
process.exit(await runVitest(args, { LONG_RUN: name }))
