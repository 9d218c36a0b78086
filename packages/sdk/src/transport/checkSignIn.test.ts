import { describe, expect, test } from 'vitest'
import { createTestClient, testAccount } from '../testing/createTestClient.ts'
import { signInText } from '../testing/signInText.ts'

const url = 'https://market.example'
const nonce = 'AgentMarketplaceSignInmarketexamplek3J9x0QmT7sW2bV5nY8cR1'
const { address } = testAccount
const good = signInText({ url, address, nonce })

/** A service that asks to have this text signed. */
function signInAt(message: string, options: { baseUrl?: string; publicUrl?: string } = {}) {
  const shown: unknown[] = []
  const sent: unknown[] = []
  const { client } = createTestClient({
    baseUrl: url,
    ...options,
    retry: { attempts: 1 },
    onSign: (request) => void shown.push(request),
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname
      if (path === '/api/config') return Response.json({ data: { chain: { id: 31337 } } })
      if (path === '/api/auth/request-nonce') return Response.json({ data: { nonce, message } })
      sent.push(JSON.parse(String(init?.body)))
      return Response.json({ data: { token: 'jwt', csrfToken: 'csrf', owner: { id: 'cowner' } } })
    },
  })
  return { signIn: () => client.signIn(), shown, sent }
}

test('a sign-in to the service is shown, then signed', async () => {
  const { signIn, shown, sent } = signInAt(good)
  await signIn()
  expect(shown).toEqual([{ kind: 'signIn', message: good }])
  expect(sent).toEqual([
    { walletAddress: address, nonce, signature: await testAccount.signMessage({ message: good }) },
  ])
})

describe('nothing else is signed', () => {
  const other = (change: Partial<Parameters<typeof signInText>[0]>) =>
    signInText({ url, address, nonce, ...change })
  test.each([
    ['another site', other({ url: 'https://bank.example' }), ['domain', 'uri']],
    ['a site of the same ending', other({ url: 'https://market.example.evil.example' }), ['domain', 'uri']],
    ['another port', other({ url: 'https://market.example:8443' }), ['domain', 'uri']],
    ['without encryption', other({ url: 'http://market.example' }), ['uri']],
    [
      'a site before the name',
      good.replaceAll('market.example', 'bank.example@market.example'),
      ['domain', 'uri'],
    ],
    [
      'a site behind the name',
      good.replace('market.example wants', 'market.example#bank.example wants'),
      ['domain'],
    ],
    ['another URI', good.replace('URI: https://market.example', 'URI: https://bank.example'), ['uri']],
    ['another wallet', other({ address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }), ['address']],
    ['another chain', other({ chainId: 1 }), ['chainId']],
    ['another nonce', other({ nonce: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345' }), ['nonce']],
    ['tomorrow', other({ issuedAt: '2026-11-16T09:00:00Z', expiresAt: '2026-11-16T09:05:00Z' }), ['time']],
    ['yesterday', other({ issuedAt: '2026-11-14T09:00:00Z', expiresAt: '2026-11-14T09:05:00Z' }), ['time']],
    ['for a year', other({ expiresAt: '2027-11-15T09:00:00Z' }), ['time']],
    ['for no time at all', other({ expiresAt: 'never' }), ['time']],
    ['with resources', `${good}\nResources:\n- urn:recap:eyJhdHQiOnt9fQ`, ['message']],
    ['with a line in front', `I agree to everything.\n${good}`, ['message']],
    ['with a statement of two lines', good.replace('This costs', 'And:\nThis costs'), ['message']],
    ['a transaction hash', `0x${'ab'.repeat(32)}`, ['message']],
  ])('%s', async (_what, message, differences) => {
    const { signIn, shown, sent } = signInAt(message)
    await expect(signIn()).rejects.toMatchObject({ code: 'UNEXPECTED_SIGN_IN', details: { differences } })
    expect([shown, sent]).toEqual([[], []])
  })
})

test('this machine has several names', async () => {
  const local = signInText({ url: 'http://localhost:4000', address, nonce })
  await signInAt(local, { baseUrl: 'http://127.0.0.1:4000' }).signIn()
  await signInAt(local, { baseUrl: 'http://[::1]:5173' }).signIn()
  const elsewhere = signInAt(local, { baseUrl: 'http://127.0.0.1.evil.example:4000' }).signIn()
  await expect(elsewhere).rejects.toMatchObject({ code: 'UNEXPECTED_SIGN_IN' })
})

test('behind another address the service goes by its public one', async () => {
  await signInAt(good, { baseUrl: 'http://10.0.0.5:4000', publicUrl: url }).signIn()
})

test('what the caller refuses is not signed', async () => {
  const { client } = createTestClient({
    baseUrl: url,
    onSign: () => Promise.reject(new Error('not today')),
    fetch: async (input) =>
      String(input).endsWith('/api/config')
        ? Response.json({ data: { chain: { id: 31337 } } })
        : Response.json({ data: { nonce, message: good } }),
  })
  await expect(client.signIn()).rejects.toThrow('not today')
})
