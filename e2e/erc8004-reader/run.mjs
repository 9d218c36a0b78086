// Installs the stock ERC-8004 client, once, and has it read what a started service wrote on chain. It brings 429 packages
// of its own, so it is no dependency of the project.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runVitest } from '../../scripts/testing/run-vitest.ts'

const flags = [
  '--ignore-scripts',
  '--legacy-peer-deps',
  '--omit=peer',
  '--omit=optional',
  '--no-audit',
  '--no-fund',
]

if (!existsSync(join(import.meta.dirname, 'node_modules', 'agent0-sdk'))) {
  const { status } = spawnSync('npm', ['ci', ...flags], { cwd: import.meta.dirname, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
process.exit(await runVitest(['e2e/erc8004.test.ts']))
