import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAgents, benchSearch } from './agents.bench.ts'
import { benchEmbedded } from './embedded.bench.ts'
import { benchGrowth } from './growth.bench.ts'
import { benchJobs } from './jobs.bench.ts'
import { benchJudged } from './judged.bench.ts'
import { benchMixed } from './load/mixed.ts'
import { startBusyLoops } from './measuring/busy-loops.ts'
import { formatRows } from './measuring/rows.ts'
import { benchPage } from './page.bench.ts'
import { benchPipeline } from './pipeline.bench.ts'
import { benchReplica } from './replica.bench.ts'
import { benchStart } from './start.bench.ts'

/**
 * `npm run bench -- [name…] [--base 100000] [--size 1000000] [--sizes 10000,100000] [--busy 2] [--save]`: all benchmarks, or the named
 * ones; `search`, a part of `agents` with sizes to choose, and `growth`, which draws docs/growth.svg, only by name. `judged` is about what search finds. Each row is a ratio to a floor
 * measured in the same run. `--busy` keeps so many cores busy beside it. `--save` writes what is printed to a file in bench/results as well.
 */
const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string' },
    size: { type: 'string' },
    sizes: { type: 'string', default: '10000,100000' },
    busy: { type: 'string', default: '0' },
    save: { type: 'boolean', default: false },
  },
})

const sizes = {
  ...(values.base && { base: Number(values.base) }),
  ...(values.size && { size: Number(values.size) }),
}

const busyLoops = Number(values.busy)

const benches = {
  start: async () => formatRows(await benchStart()),
  page: async () => formatRows(await benchPage()),
  pipeline: async () => formatRows(await benchPipeline()),
  agents: async () => formatRows(await benchAgents(sizes)),
  search: async () => formatRows(await benchSearch(sizes)),
  growth: async () => benchGrowth(values.sizes.split(',').map(Number)),
  judged: async () => formatRows(await benchJudged()),
  replica: async () => formatRows(await benchReplica()),
  jobs: async () => formatRows(await benchJobs()),
  mixed: async () => formatRows(await benchMixed()),
  embedded: async () => formatRows(await benchEmbedded()),
  signatures: async () => runScript('signatures.bench.ts'),
  devnet: async () => runScript('devnet.bench.ts'),
}

function runScript(file: string): string {
  const path = join(import.meta.dirname, file)
  const { status, stdout } = spawnSync(process.execPath, [path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  })
  if (status !== 0) process.exitCode = 1
  return stdout.trimEnd()
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** A figure says nothing without its commit and its machine. */
function describeRun(): string {
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  const commit = `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with changes' : ''}`
  const load = loadavg().map((average) => average.toFixed(1))
  return [
    `# Measured on ${new Date().toISOString().slice(0, 10)} at ${commit}`,
    '',
    `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores; load before the run ${load.join(', ')}${busyLoops > 0 ? `, ${busyLoops} busy loops beside it` : ''}.`,
  ].join('\n')
}

const onlyByName = ['search', 'growth']
const unknown = named.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}

const report = [describeRun()]
const endBusyLoops = startBusyLoops(busyLoops)
console.log(report[0])
for (const [name, bench] of Object.entries(benches)) {
  if (named.length > 0 ? !named.includes(name) : onlyByName.includes(name)) continue
  const block = `\n## ${name}\n\n\`\`\`\n${await bench()}\n\`\`\``
  console.log(block)
  report.push(block)
}
endBusyLoops()
if (values.save) {
  const [day = '', time = ''] = new Date().toISOString().split('T')
  const file = join(import.meta.dirname, 'results', `${day}-${time.slice(0, 5).replace(':', '')}.md`)
  writeFileSync(file, `${report.join('\n')}\n`)
  console.log(`\nSaved as ${file}`)
}
