import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Ended, type Goal, judge, type Row } from './goal.ts'
import { goals } from './goals.ts'
import { runCommand } from './run-command.ts'
import { readPage, writePage, writeTable } from './table.ts'

/**
 * `npm run prove [-- G5 G7 …] [--seed N]`: measures every goal, or the named ones, prints a table and writes it to
 * docs/proof.md. Ends with an error when a goal that it measured was missed.
 */
const root = join(import.meta.dirname, '../..')
const pagePath = join(root, 'docs/proof.md')
const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) } },
})
const known = goals.map(({ id }) => id)
const unknown = named.filter((id) => !known.includes(id))
if (unknown.length > 0) {
  console.error(`There is no goal ${unknown.join(', ')}. There are ${known.join(', ')}.`)
  process.exit(1)
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const isChanged = git('status', '--porcelain', '--', '.', ':!docs/proof.md') !== ''
const commit = `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`
const day = new Date().toISOString().slice(0, 10)

/** Goals that are read from one command share its run. */
const runs = new Map<string, Promise<Ended>>()

async function measure(goal: Goal): Promise<Row> {
  const commands = goal.commands.map((command) => ({
    ...command,
    line: command.line.replaceAll('{seed}', values.seed),
  }))
  const ended: Ended[] = []
  for (const command of commands) {
    if (!runs.has(command.line)) {
      console.error(`${goal.id}: ${command.line}`)
      runs.set(command.line, runCommand(command, root))
    }
    const run = await runs.get(command.line)
    if (run) ended.push(run)
    if (run?.exitCode !== 0) console.error(run?.output.split('\n').slice(-40).join('\n'))
  }
  return { ...rowOf(goal), ...judge(goal, ended), commit, day }
}

const rowOf = ({ id, name, number, commands }: Goal) => ({
  id,
  name,
  number,
  commands: commands.map(({ line }) => line),
})

const measured: Row[] = []
for (const goal of goals) {
  if (named.length > 0 && !named.includes(goal.id)) continue
  measured.push(await measure(goal))
  // After each goal, so that a run that is interrupted keeps what it has measured.
  writeFileSync(pagePath, writePage(allRows()))
}

function allRows(): Row[] {
  const before = readPage(existsSync(pagePath) ? readFileSync(pagePath, 'utf8') : '')
  const others = goals.filter(({ id }) => !measured.some((row) => row.id === id))
  const kept = others.map((goal): Row => {
    const nothing = {
      verdict: 'not measured',
      figure: 'not run yet',
      seed: '–',
      commit: '–',
      day: '–',
    } as const
    return { ...rowOf(goal), ...(before.get(goal.id) ?? nothing) }
  })
  return [...measured, ...kept]
}

const shown = named.length > 0 ? allRows().filter(({ id }) => named.includes(id)) : allRows()
console.log(`\n${writeTable(shown)}`)
if (measured.some(({ verdict }) => verdict === 'MISSED' || verdict === 'not measured')) process.exitCode = 1
