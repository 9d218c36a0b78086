// The test command: vitest, and beside it format and lint, types, and the contracts' own tests, one after the other: they
// take up the time in which tests wait. Each prints what it has to say when it ends, whole; one that fails fails the run, and
// is repeated at its end. `npm test` leaves out what `npm run test:all` adds, so that it stays below twelve minutes. Other
// arguments are handed to vitest (`npm test -- packages/contract`) and leave out the rest.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { findProgram, placesOf, programs } from './machine.ts'
import { WITHOUT_LONG } from './scope.ts'

const root = join(import.meta.dirname, '../..')
const only = process.argv.slice(2).filter((argument) => argument !== '--all')
const isEverything = process.argv.includes('--all') || only.length > 0
const inCi = process.env.CI === 'true'

const checks = [
  { name: 'format and lint', command: 'node_modules/.bin/biome', args: ['ci', '--error-on-warnings', '.'] },
  // Several checkers each work out for themselves what they share: twice the processor time, on cores that are busy anyway.
  { name: 'types', command: 'node_modules/.bin/tsc', args: ['--noEmit', '-p', '.', '--singleThreaded'] },
  {
    name: 'contracts: Solidity tests, generated files',
    command: process.execPath,
    args: [
      'packages/chain/scripts/test-solidity.mjs',
      '--quick',
      ...(isEverything ? [] : ['--unless-tested']),
    ],
  },
]

const startedAt = Date.now()
const running = new Set()
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))

checkMachine()
const ended = await Promise.all([runTests(), only.length === 0 ? runChecks() : []])
const failed = ended.flat().filter(({ isPassed }) => !isPassed)
console.log(`\n== all: ${secondsSince(startedAt)} s`)
for (const { name, output } of failed) console.error(`${output}${name} failed`)
process.exitCode = failed.length > 0 ? 1 : 0

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

/** A part of the tests has the terminal to itself. Of all of them whole lines are passed on, and the rest is printed in between. */
async function runTests() {
  const child = start(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...only], only.length > 0)
  if (child.stdout) passLines(child.stdout, process.stdout)
  if (child.stderr) passLines(child.stderr, process.stderr)
  const isPassed = await hasPassed(child)
  console.log(`== tests: ${secondsSince(startedAt)} s`)
  return { name: 'tests', isPassed, output: '' }
}

async function runChecks() {
  const results = []
  for (const { name, command, args } of checks) {
    if (isStopping) break
    const from = Date.now()
    const child = start(command, args)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    const isPassed = await hasPassed(child)
    const verdict = isPassed ? `${secondsSince(from)} s` : 'failed'
    process.stdout.write(`\n== ${name}\n${output}== ${name}: ${verdict}\n`)
    results.push({ name, isPassed, output })
  }
  return results
}

function start(command, args, hasTerminal = false) {
  const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(command, args, {
    cwd: root,
    stdio: hasTerminal ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...colours, ...(!isEverything && { [WITHOUT_LONG]: 'true' }) },
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

function stop(signal) {
  isStopping = true
  for (const child of running) child.kill(signal)
}

async function hasPassed(child) {
  const [code] = await once(child, 'close')
  return code === 0
}

function passLines(from, to) {
  let rest = ''
  from.setEncoding('utf8')
  from.on('data', (text) => {
    const end = text.lastIndexOf('\n') + 1
    if (end > 0) to.write(rest + text.slice(0, end))
    rest = end > 0 ? text.slice(end) : rest + text
  })
  from.on('end', () => to.write(rest))
}

function secondsSince(time) {
  return ((Date.now() - time) / 1000).toFixed(1)
}
