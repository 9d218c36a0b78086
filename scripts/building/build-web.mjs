// Builds the web page when it is missing or older than its sources. What was built is marked with a hash of everything it
// was built from, so that a second start spends no time here, and it is swapped in whole, so that nobody is served half.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// An older Node 20 reads this file too, and does not know its directory by itself.
const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const web = join(root, 'packages/web')
const sources = [
  'packages/web',
  'packages/sdk/src',
  'packages/chain/src',
  'packages/contract/src',
  'examples',
  'package-lock.json',
]
const passedOver = /^(dist|dist\.next.*|node_modules)$/

/** True when the page is there and fresh, whether it had to be built or not. */
export function buildWeb({ nodePath, env, say }) {
  const mark = join(web, 'dist', '.built-from')
  const wanted = hashSources()
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

function hashSources() {
  const hash = createHash('sha256')
  for (const source of sources) {
    for (const file of filesOf(source))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (path.endsWith('.json')) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !passedOver.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => (entry.isDirectory() ? filesOf(`${path}/${entry.name}`) : [`${path}/${entry.name}`]))
}
