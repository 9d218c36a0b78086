import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { benchAgents } from './agents.bench.ts'
import { benchPipeline } from './pipeline.bench.ts'
import { printRows } from './rows.ts'
import { benchStart } from './start.bench.ts'

/**
 * `npm run bench -- [name…] [--size 1000000]`: all benchmarks, or the named ones. Each row is a ratio to a floor measured in
 * the same run.
 */
const { positionals: named, values } = parseArgs({
  allowPositionals: true,
  options: { size: { type: 'string' } },
})

const benches = {
  start: async () => printRows(await benchStart()),
  pipeline: async () => printRows(await benchPipeline()),
  agents: async () => printRows(await benchAgents(values.size ? { size: Number(values.size) } : {})),
  signatures: async () => runScript('signatures.bench.ts'),
  devnet: async () => runScript('devnet.bench.ts'),
}

function runScript(file: string): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

const unknown = named.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}
for (const [name, bench] of Object.entries(benches))
  if (named.length === 0 || named.includes(name)) await bench()
