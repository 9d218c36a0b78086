// Runs a script of this project on a fresh clone that has only Node 20 or newer and npm. It is plain JavaScript,
// because an old Node cannot read TypeScript: it finds a Node that can, installs the dependencies with that Node,
// builds the web page and, to start it, the service, prepares a sandbox meanwhile, and hands over.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWeb } from './building/build-web.mjs'
import { builtService } from './building/built-service.mjs'
import { prepareSandbox } from './building/prepare-sandbox.mjs'
import { installNode, runtimeVersion } from './runtime/install-node.mjs'
import { missingPackages } from './runtime/missing-packages.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const service = join(root, 'packages/server/src/main.ts')
const wantedMajor = 24
const runtimeDir = join(root, '.runtime')
const isWindows = process.platform === 'win32'
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const LEFT_ALONE_MS = 500
/** Read before anything else: by the time that it is looked at, the shell may be gone. */
const shell = process.ppid

const nodePath = await findNode()
const env = {
  // Node keeps what it compiled, and the next start is a second quicker.
  NODE_COMPILE_CACHE: join(runtimeDir, 'compiled'),
  ...process.env,
  PATH: `${dirname(nodePath)}${delimiter}${process.env.PATH ?? ''}`,
}
const [script, ...args] = process.argv.slice(2)
const isService = resolve(root, script) === service
const isPlain = isBesideProduction()
if (!isPlain) await installDependencies()
const program = isService ? builtService({ nodePath, env, say }) : resolve(root, script)
if (!isPlain) await buildPage()
runProgram()

/** A command in an installation that serves: installing again would take the built service from under it. */
function isBesideProduction() {
  return process.env.MODE === 'production' && !isService && existsSync(join(root, 'node_modules'))
}

async function findNode() {
  if (Number(process.versions.node.split('.')[0]) >= wantedMajor) return process.execPath
  const { platform, arch } = process
  const installed = await installNode({
    runtimeDir,
    platform,
    arch,
    npm: (args) => npm(args, process.env),
    say,
  })
  if (installed === undefined)
    fail(`Node ${runtimeVersion} could not be installed. Install Node ${wantedMajor} or newer and try again.`)
  return installed
}

/** What is installed is marked with the lockfile's hash, so that a second start spends no time here. */
async function installDependencies() {
  const mark = join(root, 'node_modules', '.installed-from')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  say('Installing dependencies (once, a minute or two)')
  await npm(['ci'], env)
  if (missingPackages(root).length > 0) await npm(['ci'], env)
  const missing = missingPackages(root)
  // Without the mark the next start tries again.
  if (missing.length > 0) say(`npm could not install ${missing.join(', ')}. What needs it will not work.`)
  else writeFileSync(mark, wanted)
}

async function npm(args, environment) {
  const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: isWindows,
  })
  // Asked to stop, npm goes on for minutes, and in the way of a second start. What it leaves half done is removed by the next.
  const stop = () => {
    child.kill('SIGKILL')
    process.exit(130)
  }
  for (const signal of signals) process.on(signal, stop)
  const [code] = await once(child, 'exit').catch(({ message }) => fail(`npm could not be run: ${message}`))
  for (const signal of signals) process.off(signal, stop)
  if (code !== 0) fail('npm could not install what is needed. The lines above say why.')
}

/** Where the service is started next, a sandbox is prepared meanwhile. */
async function buildPage() {
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = () => stopping.abort()
  for (const name of signals) process.on(name, stop)
  const watch = whenLeftAlone(stop)
  let preparation
  const meanwhile = () => {
    preparation = prepareSandbox({ nodePath, env, service: program, cwd: root, signal, say })
  }
  const building = buildWeb({ nodePath, env, say, signal, ...(isService ? { meanwhile } : {}) })
  const isBuilt = await building.catch((error) => say(error.message))
  const hasFailed = !isBuilt && !signal.aborted
  if (hasFailed) stop()
  await preparation
  if (hasFailed) fail('The web page could not be built. The lines above say why.')
  if (signal.aborted) process.exit(130)
  for (const name of signals) process.off(name, stop)
  clearInterval(watch)
}

function runProgram() {
  const child = spawn(nodePath, [program, ...args], { cwd: root, env, stdio: 'inherit' })
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  whenLeftAlone(() => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal ? 1 : 0)
  })
}

/** npm passes the signal to stop to a shell, which ends by it and leaves its child running: then its child ends too. */
function whenLeftAlone(stop) {
  if (isWindows || process.env.npm_lifecycle_event === undefined) return undefined
  const watch = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(watch)
    stop()
  }, LEFT_ALONE_MS)
  watch.unref()
  return watch
}

function say(line) {
  console.error(line)
}

function fail(line) {
  console.error(line)
  process.exit(1)
}
