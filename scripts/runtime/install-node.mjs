// Puts a Node of its own into the project, for machines whose Node is older. Plain JavaScript, because an old Node runs it.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const locksDir = dirname(fileURLToPath(import.meta.url))
export const runtimeVersion = '24.21.0'

/**
 * Installs it from the lockfile of this platform, which holds the hash of what is downloaded; without one, npm compares
 * the download with the hash that the registry names. No script of a package runs. What is installed is marked, so that
 * the next start needs no network. Returns where it is, or undefined.
 */
export async function installNode({ runtimeDir, platform, arch, npm, say }) {
  const binary = join(runtimeDir, 'node_modules', 'node', 'bin', platform === 'win32' ? 'node.exe' : 'node')
  const mark = join(runtimeDir, '.installed-from')
  const lockDir = join(locksDir, `${platform}-${arch}`)
  const isLocked = existsSync(lockDir)
  const source = isLocked ? hashOf(join(lockDir, 'package-lock.json')) : packageOf(platform, arch)
  if (existsSync(binary) && existsSync(mark) && readFileSync(mark, 'utf8') === source) return binary

  say(`Node ${process.versions.node} is too old: installing Node ${runtimeVersion} for this project (once)`)
  mkdirSync(runtimeDir, { recursive: true })
  rmSync(mark, { force: true })
  if (isLocked) {
    for (const name of ['package.json', 'package-lock.json'])
      copyFileSync(join(lockDir, name), join(runtimeDir, name))
    await npm(['ci', '--prefix', runtimeDir, '--ignore-scripts'])
  } else {
    say(
      `No hash of Node is known here for ${platform}-${arch}: npm checks the download by the registry's word alone`,
    )
    rmSync(join(runtimeDir, 'package-lock.json'), { force: true })
    const manifest = { private: true, dependencies: { node: `npm:${packageOf(platform, arch)}` } }
    writeFileSync(join(runtimeDir, 'package.json'), JSON.stringify(manifest))
    await npm(['install', '--prefix', runtimeDir, '--ignore-scripts', '--no-package-lock'])
  }
  if (!existsSync(binary)) return undefined
  writeFileSync(mark, source)
  return binary
}

/** The package with the binary itself; the one called `node` would fetch it by a script, past every lockfile. */
function packageOf(platform, arch) {
  const system = platform === 'win32' ? 'win' : platform
  const processor = platform === 'win32' && arch === 'ia32' ? 'x86' : arch
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${system}-${processor}@${runtimeVersion}`
}

const hashOf = (path) => createHash('sha256').update(readFileSync(path)).digest('hex')
