// Runs the Solidity tests and measures which outcomes of the contracts' branches they take. What counts as a branch is in
// branches/find-branches.ts. Fails where a test fails, or less than 95 % is taken.
//
//   node packages/chain/scripts/test-branches.mjs

import path from 'node:path'
import process from 'node:process'
import hardhatConfig from '../hardhat.config.ts'
import { measureBranches } from './branches/measure.ts'
import { summarize, writeReport } from './branches/report.ts'

const PERCENT_AT_LEAST = 95

// One random run of each test: an outcome is to be taken by a test that means it, not by luck.
const { fuzz, invariant, ...rest } = hardhatConfig.test.solidity
const solidity = { ...rest, fuzz: { ...fuzz, runs: 1 }, invariant: { ...invariant, runs: 1, depth: 1 } }

const root = path.resolve(import.meta.dirname, '..')
const { branches, testsPassed } = await measureBranches(root, { ...hardhatConfig, test: { solidity } })
const summary = summarize(branches)
console.log(writeReport(branches))
console.log(JSON.stringify({ branchCoverage: summary }))
if (!testsPassed) console.error('A Solidity test failed, so the figures above do not count.')
process.exitCode = testsPassed && summary.percent >= PERCENT_AT_LEAST ? 0 : 1
