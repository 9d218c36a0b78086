// Writes every generated file that is committed. The tests fail when one of them is out of date.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSettings } from '../packages/server/scripts/configuration-table.ts'

const root = join(import.meta.dirname, '..')
writeFileSync(join(root, 'docs/configuration.md'), describeSettings())
const { status } = spawnSync(process.execPath, ['packages/chain/scripts/generate.mjs'], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
