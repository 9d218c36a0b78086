import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentWallet, startSmallMarketplace } from '../../sdk/src/testing/startSmallMarketplace.ts'
import { openHome } from './home.ts'
import { beginPurchase } from './jobs/purchase.ts'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-run-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

/** One command as somebody gives it: what they enter is at hand, and what they see is returned. */
async function give(argv: string[], person: Partial<Terminal> & { entered?: string[] } = {}) {
  const { entered = [], ...parts } = person
  const printed: string[] = []
  const noted: string[] = []
  const next = async (question: string) => {
    noted.push(question)
    return entered.shift() ?? ''
  }
  const terminal: Terminal = {
    environment: { AGENT_MARKETPLACE_HOME: join(directory, 'home') },
    directory,
    homeDirectory: directory,
    isInteractive: entered.length > 0,
    isScreen: false,
    print: (text) => printed.push(text),
    note: (text) => noted.push(text),
    ask: next,
    askSecret: next,
    readInput: async () => '',
    signal: new AbortController().signal,
    ...parts,
  }
  const code = await run(argv, terminal, '1.2.3')
  return { code, printed: printed.join('\n'), noted: noted.join('\n') }
}

test('the version, the help, and a command that is not there', async () => {
  expect(await give(['--version'])).toMatchObject({ code: 0, printed: '1.2.3' })
  expect((await give([])).printed).toContain('Commands:')
  expect((await give(['hire', '--help'])).printed).toContain('--max-price <usdc>')
  expect(await give(['buy'])).toMatchObject({ code: 2, noted: expect.stringContaining('no command “buy”') })
})

test('an agent is written into an empty directory alone', async () => {
  expect((await give(['init-agent', 'mine'])).code).toBe(0)
  expect(readdirSync(join(directory, 'mine')).sort()).toEqual([
    'README.md',
    'agent.ts',
    'package.json',
    'work.ts',
  ])
  writeFileSync(join(directory, 'mine', 'work.ts'), 'my own')
  expect(await give(['init-agent', 'mine'])).toMatchObject({
    code: 2,
    noted: expect.stringContaining('not empty'),
  })
})

test('without a wallet there is nothing to sign with, and errors are JSON for those who ask for it', async () => {
  const url = ['--url', 'http://127.0.0.1:9']
  expect((await give(['jobs', ...url])).code).toBe(3)
  expect((await give(['login', ...url])).code).toBe(2)
  const { code, noted } = await give(['hire', agentWallet, '--json', ...url])
  expect([code, JSON.parse(noted).error.code]).toEqual([3, 'signIn'])
  expect((await give(['jobs', '--url', 'ftp://x'])).code).toBe(2)
})

test('a new wallet signs in, the session is kept, and a second key never replaces the first', async () => {
  const market = await startSmallMarketplace()
  market.time.issuedAt = new Date(Date.now() - 1_000).toISOString()
  market.time.expiresAt = new Date(Date.now() + 240_000).toISOString()
  market.handlers['GET /api/jobs'] = () => ({ status: 200, json: { data: [], nextCursor: null } })
  const url = ['--url', market.url]
  const twice = { entered: ['correct horse', 'correct house'] }
  expect(await give(['login', '--create', ...url], twice)).toMatchObject({
    code: 2,
    noted: expect.stringContaining('differ'),
  })
  const password = 'correct horse'
  const made = await give(['login', '--create', ...url], { entered: [password, password, password] })
  expect([made.code, made.noted, made.printed]).toEqual([0, made.noted, expect.stringContaining('Signed in')])
  expect(made.printed + made.noted).not.toContain(password)
  // The login chose the marketplace, and nobody enters the password again.
  expect(await give(['jobs'])).toEqual({ code: 0, printed: 'There are no jobs.', noted: '' })
  expect((await give(['login', '--create', ...url], { entered: ['y'] })).noted).toContain(
    'Move it away first',
  )
  market.endSessions()
  expect(await give(['jobs'])).toMatchObject({ code: 3, noted: expect.stringContaining('locked') })
  await market.close()
})

test('a key that is entered wrongly is not repeated, and nothing that is printed on a screen is a control', async () => {
  const environment = {
    AGENT_MARKETPLACE_HOME: join(directory, 'home'),
    AGENT_MARKETPLACE_PASSWORD: 'x'.repeat(8),
  }
  const key = 'c0ffee'.repeat(11)
  const imported = await give(['login', '--import'], { environment, readInput: async () => `{${key}` })
  expect([imported.code, imported.noted]).toEqual([2, 'This is no key file: it is not JSON.'])
  const unknown = await give(['\u001b[2Jhire'])
  expect(unknown.noted).toContain('\ufffd[2Jhire')
})

test('what a model has begun is agreed to before it is paid, and --max-price holds for what is begun', async () => {
  const market = await startSmallMarketplace()
  market.time.issuedAt = new Date(Date.now() - 1_000).toISOString()
  market.time.expiresAt = new Date(Date.now() + 240_000).toISOString()
  const environment = {
    AGENT_MARKETPLACE_HOME: join(directory, 'home'),
    AGENT_MARKETPLACE_PASSWORD: 'correct horse',
  }
  expect((await give(['login', '--create', '--url', market.url], { environment })).code).toBe(0)
  const home = openHome({ environment, homeDirectory: directory })
  const order = { agentId: 'a', title: 'Two lines', description: 'd', agreedPrice: '25000000' }
  const purchase = { key: 'k', url: market.url, given: '{}', order }
  beginPurchase(home, { ...purchase, isByProgram: true })
  beginPurchase(home, { ...purchase, key: 'own' })
  const hire = async (...args: string[]) => give(['hire', '--key', ...args], { environment })
  expect((await hire('own', '--max-price', '24.99')).code).toBe(4)
  expect((await hire('k', '--yes', '--max-price', '24.99')).code).toBe(4)
  expect(await hire('k')).toMatchObject({ code: 2, noted: expect.stringContaining('Two lines: 25.00 USDC') })
  const asked = await give(['hire', '--key', 'k'], { environment, entered: ['n'] })
  expect([asked.code, asked.noted]).toEqual([1, expect.stringContaining('Pay? [y/N]')])
  expect(market.payments).toEqual([])
  await market.close()
})
