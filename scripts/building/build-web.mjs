// Builds the web page when it is missing or older than its sources. What was built is marked with a hash of everything it
// was built from, so that a second start spends no time here, and it is swapped in whole, so that nobody is served half.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSources, root } from './sources.mjs'

const web = join(root, 'packages/web')
const sources = [
  'packages/web',
  'packages/sdk/src',
  'packages/chain/src',
  'packages/contract/src',
  'examples',
  'package-lock.json',
]

/** True when the page is there and fresh, whether it had to be built or not. */
export function buildWeb({ nodePath, env, say }) {
  const mark = join(web, 'dist', '.built-from')
  const wanted = hashSources(sources)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return true
  say('Building the web page (once)')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const next = join(web, `dist.next-${process.pid}`)
  const { status, stdout, stderr } = spawnSync(
    nodePath,
    [vite, 'build', '--outDir', next, '--emptyOutDir', '--logLevel', 'warn'],
    { cwd: web, env: { ...env, NODE_ENV: 'production' }, encoding: 'utf8' },
  )
  if (status !== 0) {
    say(`${stdout}${stderr}`)
    return false
  }
  writeFileSync(join(next, '.built-from'), wanted)
  return swapIn(next)
}

/** Another process may swap its own page in at the same moment: then this one comes after it. */
function swapIn(next) {
  const place = join(web, 'dist')
  const former = `${next}-former`
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (existsSync(place)) renameSync(place, former)
      renameSync(next, place)
      break
    } catch (error) {
      if (attempt === 5) throw error
    } finally {
      rmSync(former, { recursive: true, force: true })
    }
  }
  return true
}
