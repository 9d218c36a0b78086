// A long run of the fuzz test: `npm run test:fuzz -- --requests 10000 --seed 7`. It prints its seed, which repeats the run.
import { parseArgs } from 'node:util'
import { runVitest } from './run-vitest.ts'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '10000' }, seed: { type: 'string' } },
})
const environment = {
  FUZZ_REQUESTS: values.requests,
  ...(values.seed === undefined ? {} : { FUZZ_SEED: values.seed }),
}
process.exit(await runVitest(['--reporter=verbose', 'packages/server/src/fuzz-long.test.ts'], environment))
