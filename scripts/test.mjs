// The test command: format and lint, types, Solidity, then everything in vitest. Each step prints its own figures; the
// first that fails ends the run. Arguments are handed to vitest (`npm test -- packages/contract`) and skip the rest.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { findProgram, placesOf, programs } from './machine.ts'

const root = join(import.meta.dirname, '..')
const only = process.argv.slice(2)
const inCi = process.env.CI === 'true'

checkMachine()
if (only.length === 0) {
  step('format and lint', 'node_modules/.bin/biome', ['ci', '--error-on-warnings', '.'])
  step('types', 'node_modules/.bin/tsc', ['--noEmit', '-p', '.'])
  step('contracts: artefacts are fresh', process.execPath, ['packages/chain/scripts/generate.mjs', '--check'])
  step('contracts: Solidity tests', process.execPath, ['packages/chain/scripts/test-solidity.mjs', '--quick'])
}
step('tests', process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...only])

/** Browser and Redis tests need programs that npm does not bring. CI must have them; elsewhere their absence is said loudly. */
function checkMachine() {
  for (const name of programs) {
    if (findProgram(name)) continue
    if (inCi) {
      console.error(`CI must have ${name}: it is not installed.`)
      process.exit(1)
    }
    const looked = placesOf(name).join(', ')
    console.error(
      `\n!!! ${name} is not installed here: the tests that need it are SKIPPED. Looked at ${looked}\n`,
    )
  }
}

function step(name, command, args) {
  const startedAt = Date.now()
  console.log(`\n== ${name}`)
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: process.env })
  if (status !== 0) {
    console.error(`\n${name} failed`)
    process.exit(status ?? 1)
  }
  console.log(`== ${name}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}
