import { chainOf } from '@agent-marketplace/chain'
import { createPublicClient, custom, type EIP1193RequestFn } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { printFigures, timesFor } from '../../testing/proof.ts'
import { newWallet, signIn } from '../../testing/sign-in.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import { forgedTokens } from './testing/forged-tokens.ts'

let app: World
beforeAll(async () => {
  app = await startWorld({ environment: { RATE_LIMITS: 'on' } })
})
afterAll(() => app.close())
beforeEach(() => app.wallClock.advance(61))

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  app.http.inject({ method: 'POST', url, payload, headers })
const requestNonce = (walletAddress: string) => post('/api/auth/request-nonce', { walletAddress })
const verify = (payload: object, headers = {}) => post('/api/auth/verify-signature', payload, headers)
const session = (headers: Record<string, string>) => app.http.inject({ url: '/api/auth/session', headers })

async function challenge(wallet = newWallet()) {
  const { data } = (await requestNonce(wallet.address)).json()
  return { wallet, ...data } as { wallet: typeof wallet; nonce: string; message: string; expiresAt: string }
}

describe('request-nonce 200', () => {
  test('a nonce with a ready EIP-4361 message that names site, chain, wallet and time', async () => {
    const { wallet, nonce, message, expiresAt } = await challenge()
    expect(nonce).toMatch(/^AgentMarketplaceSignInlocalhost4000[0-9a-zA-Z]{22}$/)
    expect(new Date(expiresAt).getTime() - app.wallClock.now().getTime()).toBe(300_000)
    expect(parseSiweMessage(message)).toMatchObject({
      domain: 'localhost:4000',
      address: wallet.address,
      uri: 'http://localhost:4000',
      version: '1',
      chainId: 31337,
      nonce,
      issuedAt: app.wallClock.now(),
      expirationTime: new Date(expiresAt),
    })
  })

  test('asking again leaves the first nonce good', async () => {
    const first = await challenge()
    await requestNonce(first.wallet.address)
    const signature = await first.wallet.signMessage({ message: first.message })
    expect(
      (await verify({ walletAddress: first.wallet.address, nonce: first.nonce, signature })).statusCode,
    ).toBe(200)
  })
})

describe('verify-signature 200', () => {
  test('both forms in one body, an httpOnly cookie, and a new owner for a new wallet', async () => {
    const { wallet, nonce, message } = await challenge()
    const signature = await wallet.signMessage({ message })
    const response = await verify({ walletAddress: wallet.address.toLowerCase(), nonce, signature })
    expect(response.statusCode).toBe(200)
    const body = response.json()
    expect(body.owner).toEqual({
      id: expect.stringMatching(/^c[0-9a-z]{24}$/),
      walletAddress: wallet.address,
      email: null,
      kycStatus: 'PENDING',
      kycFeePaid: false,
      isAdmin: false,
      accountStatus: 'ACTIVE',
      createdAt: app.wallClock.now().toISOString(),
    })
    expect(body.data).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      csrfToken: body.csrfToken,
      owner: { id: body.owner.id, walletAddress: wallet.address, entityName: '', kycStatus: 'PENDING' },
    })
    expect(response.headers['set-cookie']).toBe(
      `token=${body.data.token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=86400`,
    )
  })

  test.each([
    ['v1', ['csrfToken', 'owner']],
    ['v2', ['data']],
  ])('form %s alone has exactly %j', async (version, keys) => {
    const { wallet, nonce, message } = await challenge()
    const accept = `application/vnd.agent-marketplace.${version}+json`
    const signature = await wallet.signMessage({ message })
    const response = await verify({ walletAddress: wallet.address, nonce, signature }, { accept })
    expect(Object.keys(response.json()).sort()).toEqual(keys)
  })

  test('the bare nonce may be signed instead, and the same wallet stays the same owner', async () => {
    const { wallet, nonce } = await challenge()
    const signature = await wallet.signMessage({ message: nonce })
    const first = await verify({ walletAddress: wallet.address, nonce, signature })
    expect(first.statusCode).toBe(200)
    expect((await signIn(app.http, wallet)).ownerId).toBe(first.json().owner.id)
  })

  test('a smart account that is not deployed yet signs in by ERC-6492', async () => {
    const request = (async (call: { method: string; params?: unknown[] }) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
      const { result, error } = JSON.parse((await app.deps.sandbox?.chain.handleRpc(body)) ?? '{}')
      if (error) throw Object.assign(new Error(error.message), error)
      return result
    }) as EIP1193RequestFn
    const client = createPublicClient({ chain: chainOf(31337), transport: custom({ request }) })
    const account = await toCoinbaseSmartAccount({ client, owners: [newWallet()], version: '1.1' })
    const { data } = (await requestNonce(account.address)).json()
    const signature = await account.signMessage({ message: data.message })
    const response = await verify({ walletAddress: account.address, nonce: data.nonce, signature })
    expect([response.statusCode, response.json().owner?.walletAddress]).toEqual([200, account.address])

    const { data: second } = (await requestNonce(account.address)).json()
    const stolen = await verify({ walletAddress: account.address, nonce: second.nonce, signature })
    expect(stolen.statusCode).toBe(401)
  })
})

describe('verify-signature 401', () => {
  test('twenty tries with one nonce at once: exactly one is let in', async () => {
    const { wallet, nonce, message } = await challenge()
    const signature = await wallet.signMessage({ message })
    const wider = await startWorld()
    const send = (url: string, payload: object) => wider.http.inject({ method: 'POST', url, payload })
    const walletAddress = wallet.address
    const nonces = timesFor({ usual: 1, proof: 100 })
    const counts = { 200: 0, 401: 0 }
    let used = {}
    for (let round = 0; round < nonces; round += 1) {
      const { data } = (await send('/api/auth/request-nonce', { walletAddress })).json()
      const payload = {
        walletAddress,
        nonce: data.nonce,
        signature: await wallet.signMessage({ message: data.message }),
      }
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => send('/api/auth/verify-signature', payload)),
      )
      const statuses = responses.map(({ statusCode }) => statusCode).sort()
      expect(statuses).toEqual([200, ...Array(19).fill(401)])
      for (const status of statuses) counts[status as 200 | 401] += 1
      used = payload
    }
    await wider.close()
    // The nonce of the other service is unknown here, and this service's own is still good.
    expect((await verify(used)).statusCode).toBe(401)
    expect((await verify({ walletAddress, nonce, signature })).statusCode).toBe(200)
    printFigures('G6', { nonces, letIn: counts[200], refused: counts[401] })
  })

  test('a used, expired, unknown or foreign nonce', async () => {
    const { wallet, nonce, message } = await challenge()
    const signature = await wallet.signMessage({ message })
    const attempt = { walletAddress: wallet.address, nonce, signature }
    expect((await verify({ ...attempt, nonce: 'x'.repeat(32) })).statusCode).toBe(401)
    const stranger = await challenge()
    expect((await verify({ ...attempt, nonce: stranger.nonce })).statusCode).toBe(401)
    expect((await verify({ ...attempt, walletAddress: stranger.wallet.address })).statusCode).toBe(401)
    expect((await verify(attempt)).statusCode).toBe(200)
    expect((await verify(attempt)).statusCode).toBe(401)

    const late = await challenge()
    const lateSignature = await late.wallet.signMessage({ message: late.message })
    app.wallClock.advance(301)
    const tooLate = await verify({
      walletAddress: late.wallet.address,
      nonce: late.nonce,
      signature: lateSignature,
    })
    expect(tooLate.statusCode).toBe(401)
  })

  test.each([
    '',
    '0x',
    'hello',
    '0x1234',
    `0x${'0'.repeat(130)}`,
    `0x${'f'.repeat(130)}`,
    `0x${'zz'.repeat(65)}`,
  ])('the signature %j, after which the nonce is still good', async (signature) => {
    const { wallet, nonce, message } = await challenge()
    const attempt = { walletAddress: wallet.address, nonce }
    const refused = await verify({ ...attempt, signature })
    expect([refused.statusCode, refused.json().error.code]).toEqual([401, 'UNAUTHORIZED'])
    expect((await verify({ ...attempt, signature: await wallet.signMessage({ message }) })).statusCode).toBe(
      200,
    )
  })
})

describe('400', () => {
  test.each([
    ['/api/auth/request-nonce', {}],
    ['/api/auth/request-nonce', { walletAddress: 'x' }],
    ['/api/auth/request-nonce', { walletAddress: 5 }],
    ['/api/auth/verify-signature', { walletAddress: '0x', signature: '0x' }],
    ['/api/auth/verify-signature', { walletAddress: '0x', signature: 1, nonce: 'x' }],
    ['/api/auth/verify-signature', { walletAddress: null, signature: '0x', nonce: 'x' }],
  ])('%s %j', async (url, payload) => {
    const response = await post(url, payload)
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'VALIDATION_ERROR'])
  })
})

describe('the session', () => {
  test('cookie and Bearer see the same session; its CSRF token moves things, another’s does not', async () => {
    const owner = await signIn(app.http)
    const other = await signIn(app.http)
    const seen = (await session({ cookie: owner.cookie })).json().data
    expect(seen).toMatchObject({ owner: { id: owner.ownerId }, csrfToken: owner.csrfToken })
    expect((await session(owner.bearer)).json().data).toEqual(seen)
    const logout = (csrf: string) =>
      post('/api/auth/logout', {}, { cookie: owner.cookie, 'x-csrf-token': csrf })
    expect((await logout(other.csrfToken)).statusCode).toBe(403)
    const done = await logout(owner.csrfToken)
    expect([done.statusCode, done.headers['set-cookie']]).toEqual([
      200,
      'token=; HttpOnly; SameSite=Lax; Path=/; Max-Age=0',
    ])
    expect((await session({ cookie: owner.cookie })).statusCode).toBe(401)
    expect((await session(owner.bearer)).statusCode).toBe(401)
    expect((await session(other.bearer)).statusCode).toBe(200)
  })

  test('ends after 24 hours', async () => {
    const owner = await signIn(app.http)
    app.wallClock.advance(24 * 3600 - 1)
    expect((await session(owner.bearer)).statusCode).toBe(200)
    app.wallClock.advance(2)
    expect((await session(owner.bearer)).statusCode).toBe(401)
  })

  test('a change of the owner in another process is felt by the next request', async () => {
    const owner = await signIn(app.http)
    expect((await session(owner.bearer)).statusCode).toBe(200)
    await app.db.run(sql`update owners set account_status = 'DEACTIVATED' where id = ${owner.ownerId}`)
    await expect.poll(async () => (await session(owner.bearer)).statusCode).toBe(403)
    const again = await challenge(owner.wallet)
    const signature = await owner.wallet.signMessage({ message: again.message })
    const refused = await verify({ walletAddress: owner.wallet.address, nonce: again.nonce, signature })
    expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'FORBIDDEN'])
  })

  test('admins are the wallets of the settings', async () => {
    const wallet = newWallet()
    const house = await startWorld({ environment: { ADMIN_WALLETS: wallet.address.toLowerCase() } })
    const admin = await signIn(house.http, wallet)
    const seen = await house.http.inject({ url: '/api/auth/session', headers: admin.bearer })
    expect(seen.json().data.owner.isAdmin).toBe(true)
    await house.close()
  })
})

describe('forged tokens', () => {
  test('none, another algorithm, weak or foreign keys, edited, expired, stray: all 401', async () => {
    const owner = await signIn(app.http)
    const rounds = timesFor({ usual: 1, proof: 30 })
    const sent = new Set<string>()
    let refused = 0
    for (let round = 0; round < rounds; round += 1) {
      // A new minute for each round: what is refused for its number would show nothing.
      app.wallClock.advance(61)
      for (const token of await forgedTokens({ ...owner, secret: app.config.sessionSecret, round })) {
        const response = await session({ authorization: `Bearer ${token}` })
        expect([token, response.statusCode]).toEqual([token, 401])
        sent.add(token)
        refused += 1
      }
    }
    expect((await session(owner.bearer)).statusCode).toBe(200)
    printFigures('G16', { forged: sent.size, refused })
  })
})

describe('the zero address', () => {
  const zero = `0x${'00'.repeat(20)}`

  test('gets no nonce, in words that say why', async () => {
    const response = await requestNonce(zero)
    expect([response.statusCode, response.json().error.details.issues]).toEqual([
      400,
      [{ path: '/walletAddress', message: 'must not be the zero address' }],
    ])
  })

  test('does not sign in, not even with a nonce from before', async () => {
    const nonce = 'k3J9x0QmT7sW2bV5nY8cR1fZ6hL4pD0g'
    await app.db.run(sql`
      insert into auth_nonces (nonce, wallet_address, message, expires_at)
      values (${nonce}, ${zero}, 'hello', ${new Date(app.wallClock.now().getTime() + 60_000)})`)
    for (const signature of [`0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, `0x${'11'.repeat(64)}1b`])
      expect((await verify({ walletAddress: zero, nonce, signature })).statusCode).toBe(401)
    expect(await app.db.maybeOne(sql`select id from owners where wallet_address = ${zero}`)).toBeUndefined()
  })
})

test('AUTH_BARE_NONCE=off takes the whole message alone', async () => {
  const strict = await startWorld({ environment: { AUTH_BARE_NONCE: 'off' } })
  const send = (url: string, payload: object) => strict.http.inject({ method: 'POST', url, payload })
  const wallet = newWallet()
  const { address: walletAddress } = wallet
  const { nonce, message } = (await send('/api/auth/request-nonce', { walletAddress })).json().data
  const statusOf = async (text: string) => {
    const signature = await wallet.signMessage({ message: text })
    return (await send('/api/auth/verify-signature', { walletAddress, nonce, signature })).statusCode
  }
  expect([await statusOf(nonce), await statusOf(message)]).toEqual([401, 200])
  await strict.close()
})
