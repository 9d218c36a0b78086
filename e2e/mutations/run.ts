import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endOnSignals } from '../../scripts/testing/end-on-signals.ts'
import { temporaryDirectory } from '../service/service-process.ts'
import { areas, testOf } from './areas.ts'
import { scoreOf } from './report.ts'

/**
 * `npm run test:mutations [-- prices routing …]`: installs Stryker, once, and has it change the rules of every area, or of
 * the named ones, in a copy of the source. A change that no test notices is printed; too many of them in an area fail the
 * command.
 */
const root = join(import.meta.dirname, '../..')
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js')

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

const named = process.argv.slice(2)
const chosen = areas.filter(({ name }) => named.length === 0 || named.includes(name))
const unknown = named.filter((name) => !areas.some((area) => area.name === name))
if (unknown.length > 0) {
  say(`There is no area ${unknown.join(', ')}. There are ${areas.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}

if (!existsSync(stryker)) {
  const install = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--omit=peer', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', install, { cwd: import.meta.dirname, stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}

const files = chosen.flatMap((area) => area.files)
const untested = files.filter((file) => !existsSync(join(root, testOf(file))))
if (untested.length > 0) {
  say(`Without a test beside it: ${untested.join(', ')}`)
  process.exit(1)
}

const directory = temporaryDirectory()
const reportPath = join(directory.path, 'report.json')
const configPath = join(directory.path, 'stryker.config.json')
writeFileSync(
  configPath,
  JSON.stringify({
    mutate: files,
    testRunner: 'vitest',
    vitest: { configFile: 'e2e/mutations/vitest.config.ts' },
    // What the tests load by relative paths. Other packages are found through node_modules, unchanged.
    ignorePatterns: [
      '**',
      '!packages/{contract,server}/src/**',
      '!e2e/mutations/*.ts',
      '!scripts/testing/*.ts',
      '!package.json',
    ],
    tempDirName: join(directory.path, 'copy'),
    cleanTempDir: 'always',
    concurrency: 2,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: reportPath },
  }),
)

let child: ChildProcess | undefined
endOnSignals(async () => {
  if (child?.kill('SIGINT')) await once(child, 'exit')
  directory.remove()
})

const startedAt = performance.now()
try {
  child = spawn(process.execPath, [stryker, 'run', configPath], { cwd: root, stdio: 'inherit' })
  await once(child, 'exit')
  if (!existsSync(reportPath)) throw new Error('Stryker wrote no report. The lines above say why.')
  const report = JSON.parse(readFileSync(reportPath, 'utf8'))
  const scores = chosen.map((area) => scoreOf(area, report))
  for (const { name, goal, found, missed, percent } of scores) {
    say(`${name}: ${percent} % of ${found + missed.length} mutants found (goal ${goal} %)`)
    for (const line of missed) say(`  ${line}`)
  }
  say(`proof G19 ${JSON.stringify(figuresOf(scores))}`)
  if (scores.some(({ percent, goal }) => percent < goal)) process.exitCode = 1
} finally {
  directory.remove()
}

function figuresOf(scores: ReturnType<typeof scoreOf>[]): Record<string, number> {
  return {
    ...Object.fromEntries(scores.map(({ name, percent }) => [name, percent])),
    mutants: scores.reduce((sum, { found, missed }) => sum + found + missed.length, 0),
    seconds: Math.round((performance.now() - startedAt) / 1000),
  }
}
