// Runs the Solidity tests of the package, holds their gas figures to gas-snapshot.json, and what is committed of the
// contracts in src/generated to the code that was tested.
//
//   node packages/chain/scripts/test-solidity.mjs                  every test, then both checks
//   node packages/chain/scripts/test-solidity.mjs a.t.sol b.t.sol  only these files, no checks
//   node packages/chain/scripts/test-solidity.mjs --update         writes the gas figures as measured
//   node packages/chain/scripts/test-solidity.mjs --seed random    another fuzz seed, printed so that the run can be repeated
//   node packages/chain/scripts/test-solidity.mjs --quick          a quarter of the fuzz and invariant runs, for `npm test`
//   node packages/chain/scripts/test-solidity.mjs --nightly        four times the fuzz and invariant runs
//   node packages/chain/scripts/test-solidity.mjs --unless-tested  nothing where they passed as they are (tested-contracts.json)

import { randomBytes } from 'node:crypto'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import hardhatConfig from '../hardhat.config.ts'
import { checkGas, collectGas, writeGas } from './gas-snapshot.mjs'
import { CONTRACTS, findOutdated, findStrangers, renderAll } from './generated-files.mjs'
import { areTested, noteTested } from './tested-contracts.ts'

const packageRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const snapshotFile = path.join(packageRoot, 'gas-snapshot.json')

const { values: options, positionals: testFiles } = parseArgs({
  allowPositionals: true,
  options: {
    update: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    nightly: { type: 'boolean', default: false },
    'unless-tested': { type: 'boolean', default: false },
    seed: { type: 'string' },
  },
})

/** The package's own settings, with the seed and the number of runs that this command line asks for. */
function testConfig() {
  const { fuzz, invariant, ...rest } = hardhatConfig.test.solidity
  const seed =
    options.seed === 'random' ? `0x${randomBytes(16).toString('hex')}` : (options.seed ?? fuzz.seed)
  const factor = options.nightly ? 4 : options.quick ? 1 / 4 : 1
  console.log(`Fuzz seed ${seed}; repeat this run with --seed ${seed}`)
  return {
    ...rest,
    fuzz: { ...fuzz, seed, runs: fuzz.runs * factor },
    invariant: { ...invariant, runs: invariant.runs * factor },
  }
}

async function runTests() {
  const config = { ...hardhatConfig, test: { solidity: testConfig() } }
  const hre = await createHardhatRuntimeEnvironment(config, {}, packageRoot)
  const result = await hre.tasks.getTask(['test', 'solidity']).run({ testFiles })
  const { suiteResults } = result.success ? result.value : result.error
  return { passed: result.success, suites: suiteResults, artifacts: hre.artifacts }
}

/** One sentence per committed file that does not hold what the tests ran on; an empty list means that all is well. */
async function checkGenerated(artifacts) {
  const tested = new Map()
  for (const [name, { source }] of Object.entries(CONTRACTS)) {
    tested.set(name, await artifacts.readArtifact(`${source}:${name}`))
  }
  const outdated = await findOutdated(renderAll(tested))
  const strangers = await findStrangers()
  return [
    ...outdated.map((name) => `${name}.ts is out of date; run npm run generate`),
    ...strangers.map((file) => `${file} belongs to no listed contract`),
  ]
}

if (options['unless-tested'] && (await areTested())) {
  console.log('Solidity: nothing has changed since all tests passed (tested-contracts.json)')
  process.exit()
}

const startedAt = performance.now()
const { passed, suites, artifacts } = await runTests()
const tests = suites.flatMap((suite) => suite.testResults)
const count = (status) => tests.filter((test) => test.status === status).length
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(
  `Solidity: ${count('Success')} passed, ${count('Failure')} failed, ${count('Skipped')} skipped in ${suites.length} suites, ${seconds} s`,
)

let failed = !passed || count('Skipped') > 0 || count('Success') === 0
if (!failed && testFiles.length === 0) {
  const measured = collectGas(suites)
  if (options.update) {
    await writeGas(snapshotFile, measured)
    console.log(`Gas: ${Object.keys(measured).length} figures written`)
  } else {
    const problems = await checkGas(snapshotFile, measured)
    for (const problem of problems) console.error(`Gas: ${problem}`)
    failed = problems.length > 0
    if (!failed) console.log(`Gas: ${Object.keys(measured).length} figures within their limits`)
  }
  const drift = await checkGenerated(artifacts)
  for (const problem of drift) console.error(`src/generated: ${problem}`)
  if (drift.length > 0) failed = true
  else console.log(`src/generated: ${Object.keys(CONTRACTS).length} contracts as they were tested`)
  if (!failed) await noteTested()
}
process.exitCode = failed ? 1 : 0
