import { execFile, execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSmallMarketplace } from '../../packages/sdk/src/testing/startSmallMarketplace.ts'
import { buildPackages } from './build-packages.ts'
import { startRegistry } from './local-registry.ts'

/** The packages as npm publishes them, in a project that has nothing else. */

const run = promisify(execFile)
const tools = join(import.meta.dirname, '../../node_modules')
const directory = realpathSync(mkdtempSync(join(tmpdir(), 'packages-')))
const project = join(directory, 'project')
const environment = { PATH: process.env.PATH, HOME: directory }
let tarballs: string[]

const npm = (args: string[], cwd: string) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error', `--cache=${directory}/cache`], {
    cwd,
    env: environment,
  })

beforeAll(async () => {
  const built = await buildPackages(join(directory, 'built'))
  const { stdout } = await npm(['pack', ...built, '--json'], directory)
  const packs: { filename: string }[] = Object.values(JSON.parse(stdout))
  tarballs = packs.map(({ filename }) => join(directory, filename))
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}')
  const registry = await startRegistry()
  await npm(['install', ...tarballs, '--ignore-scripts', `--registry=${registry.url}`], project)
  await registry.close()
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Every Node on the path, each version once: npm test brings one, and the machine may have another. */
function nodesOnPath(): [string, string][] {
  const paths = (process.env.PATH ?? '').split(delimiter).map((each) => join(each, 'node'))
  const versions = paths
    .filter((path) => existsSync(path))
    .map((path): [string, string] => [execFileSync(path, ['--version'], { encoding: 'utf8' }).trim(), path])
  return [...new Map(versions)].filter(([version]) => Number(version.slice(1).split('.')[0]) >= 20)
}

/** A purchase, from the sign-in to the signed payment. */
const purchase = `
import { formatUsdc } from '@agent-marketplace/contract'
import { NOTE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { createMarketplaceClient, usdc } from '@agent-marketplace/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

export async function buy(baseUrl) {
  const marketplace = createMarketplaceClient({ baseUrl, account: privateKeyToAccount(generatePrivateKey()) })
  const order = { agentId: 'a', title: 't', description: 'd', agreedPrice: usdc('25') }
  const { status } = await marketplace.hire(order)
  return [status, formatUsdc(25000000n), NOTE_MAX_LENGTH]
}
`
const bought = ['IN_PROGRESS', '25.00', 2000]

/** The first message of a program that speaks the Model Context Protocol. */
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
}

async function startMarket() {
  const market = await startSmallMarketplace()
  market.time.issuedAt = new Date(Date.now() - 1_000).toISOString()
  market.time.expiresAt = new Date(Date.now() + 1_800_000).toISOString()
  return market
}

describe.each(nodesOnPath())('on Node %s', (_, node) => {
  test('a program signs in, hires and pays by the installed client', async () => {
    writeFileSync(join(project, 'purchase.mjs'), purchase)
    const main =
      "import { buy } from './purchase.mjs'\nconsole.log(JSON.stringify(await buy(process.argv[2])))\n"
    writeFileSync(join(project, 'main.mjs'), main)
    const market = await startMarket()
    const { stdout } = await run(node, ['main.mjs', market.url], { cwd: project, env: environment })
    expect(JSON.parse(stdout)).toEqual(bought)
    expect(market.payments.length).toBe(1)
    await market.close()
  })

  test('the command shows its version and help, and writes an agent', async () => {
    const command = join(project, 'node_modules/.bin/agent-marketplace')
    const give = async (...args: string[]) =>
      (await run(node, [command, ...args], { env: environment })).stdout
    const { version } = JSON.parse(
      readFileSync(join(project, 'node_modules/agent-marketplace/package.json'), 'utf8'),
    )
    expect(await give('--version')).toBe(`${version}\n`)
    expect(await give('--help')).toContain('init-agent')
    const place = join(directory, `agent-${dirname(node).replaceAll('/', '-')}`)
    await give('init-agent', place, '--language', 'python')
    expect(existsSync(join(place, 'agent.py'))).toBe(true)
    // Served over stdio by the installed packages.
    const serving = run(node, [command, 'mcp'], { env: environment })
    serving.child.stdin?.end(`${JSON.stringify(initialize)}\n`)
    expect(JSON.parse((await serving).stdout)).toMatchObject({
      result: { serverInfo: { name: 'agent-marketplace' } },
    })
  })
})

test('a bundle for browsers needs nothing of Node, and pays', async () => {
  writeFileSync(join(project, 'page.mjs'), `${purchase}\nglobalThis.result = buy(globalThis.marketUrl)\n`)
  const bundle = await rolldown({ input: join(project, 'page.mjs'), platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'iife', name: 'page', codeSplitting: false })
  await bundle.close()
  const market = await startMarket()
  // What a page has, and no more: no process, no Buffer, no require.
  const { fetch, crypto, URL, URLSearchParams, Headers, Response, Blob, TextEncoder, TextDecoder } =
    globalThis
  const { AbortController, AbortSignal, setTimeout, clearTimeout, atob, btoa } = globalThis
  const page = createContext({
    ...{ fetch, crypto, URL, URLSearchParams, Headers, Response, Blob, TextEncoder, TextDecoder },
    ...{ AbortController, AbortSignal, setTimeout, clearTimeout, atob, btoa },
    marketUrl: market.url,
  })
  runInContext(output[0].code, page)
  expect([...(await page.result)]).toEqual(bought)
  await market.close()
})

test('publint and attw find nothing', async () => {
  for (const tarball of tarballs)
    await run(process.execPath, [join(tools, 'publint/src/cli.js'), 'run', tarball, '--strict'])
  const libraries = tarballs.filter((tarball) => /(?:contract|sdk|mcp)-[^/]*$/.test(tarball))
  expect(libraries.length).toBe(3)
  for (const tarball of libraries)
    await run(process.execPath, [
      join(tools, '@arethetypeswrong/cli/dist/index.js'),
      tarball,
      '--profile',
      'esm-only',
    ])
})

test('each package brings its licence, a README and nothing of its sources', () => {
  for (const name of ['contract', 'sdk', 'mcp', 'cli']) {
    const installed = join(
      project,
      'node_modules',
      name === 'cli' ? 'agent-marketplace' : `@agent-marketplace/${name}`,
    )
    expect(['LICENSE', 'README.md', 'dist', 'src'].map((part) => existsSync(join(installed, part)))).toEqual([
      true,
      true,
      true,
      false,
    ])
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
    expect([manifest.private, manifest.license, manifest.engines.node]).toEqual([undefined, 'MIT', '>=20'])
  }
})
