// Builds the web page when it is missing or older than its sources. What was built is marked with a hash of everything it
// was built from, so that a second start spends no time here, and it is swapped in whole, so that nobody is served half.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

/**
 * True when the page is there and fresh, whether it had to be built or not. Where it has to be, `meanwhile` is called: the
 * build takes seconds. Once the signal is aborted the build ends.
 */
export async function buildWeb({ nodePath, env, say, meanwhile, signal }) {
  const mark = join(web, 'dist', '.built-from')
  const wanted = hashSources(sources)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return true
  say('Building the web page (once)')
  meanwhile?.()
  const next = join(web, `dist.next-${process.pid}`)
  try {
    const { code, killedBy, output } = await runVite(['build', '--outDir', next, '--emptyOutDir'], {
      nodePath,
      env,
      signal,
    })
    if (code !== 0) {
      if (!signal?.aborted)
        say(output || `The build was ended by ${killedBy}: there may be too little memory.`)
      return false
    }
    writeFileSync(join(next, '.built-from'), wanted)
    return swapIn(next)
  } finally {
    rmSync(next, { recursive: true, force: true })
  }
}

async function runVite(args, { nodePath, env, signal }) {
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const child = spawn(nodePath, [vite, ...args, '--logLevel', 'warn'], {
    cwd: web,
    env: { ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = () => child.kill('SIGKILL')
  signal?.addEventListener('abort', stop)
  // In one piece, so that no line of anything else comes in between.
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const [code, killedBy] = await once(child, 'close')
  signal?.removeEventListener('abort', stop)
  return { code, killedBy, output }
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
