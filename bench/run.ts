import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { benchPipeline } from './pipeline.bench.ts'
import { printRows } from './rows.ts'
import { benchStart } from './start.bench.ts'

/** `npm run bench [name…]`: all benchmarks, or the named ones. Each row is a ratio to a floor measured in the same run. */
const benches = {
  start: async () => printRows(await benchStart()),
  pipeline: async () => printRows(await benchPipeline()),
  signatures: async () => runScript('signatures.bench.ts'),
  devnet: async () => runScript('devnet.bench.ts'),
}

function runScript(file: string): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, file)], { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

const named = process.argv.slice(2)
const known = Object.entries(benches)
const unknown = named.filter((name) => !(name in benches))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}. There are ${Object.keys(benches).join(', ')}.`)
  process.exit(1)
}
for (const [name, bench] of known) if (named.length === 0 || named.includes(name)) await bench()
