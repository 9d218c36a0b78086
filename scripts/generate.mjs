// Writes every generated file that is committed. The tests fail when one of them is out of date.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeSettings } from '../packages/server/scripts/configuration-table.ts'

const root = join(import.meta.dirname, '..')
writeFileSync(join(root, 'docs/configuration.md'), describeSettings())
for (const script of [
  'docs/generate-errors.ts',
  'docs/flows/job.ts',
  'packages/chain/scripts/generate.mjs',
  'packages/sdk/scripts/generate-routes.ts',
]) {
  const { status } = spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
