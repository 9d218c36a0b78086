import { expect, test } from 'vitest'
import { createTestClient } from '../testing/createTestClient.ts'
import { signInText } from '../testing/signInText.ts'

const owner = { id: 'cowner', walletAddress: '0x1', kycStatus: 'PENDING' }
const nonce = 'nonceNumber1'
const message = signInText({
  url: 'http://localhost',
  address: '0x0000000000000000000000000000000000000001',
  nonce,
})
const refusal = { error: { code: 'UNAUTHORIZED', message: 'No.', details: {} } }

/** The service as a browser sees it: who calls is in a cookie that the page cannot read. */
function createPage({ hasCookie = false, isOver = (): boolean => false } = {}) {
  const sent: { path: string; credentials: unknown; headers: Record<string, string> }[] = []
  const signed: string[] = []
  let isSignedIn = hasCookie
  const responses: Record<string, () => object> = {
    '/api/auth/request-nonce': () => ({ data: { nonce, message } }),
    '/api/config': () => ({ data: { chain: { id: 31337 } } }),
    '/api/auth/verify-signature': () => {
      isSignedIn = true
      return { data: { token: 'jwt', csrfToken: 'csrf1', owner } }
    },
    '/api/auth/session': () => ({ data: { owner, csrfToken: 'csrf1', expiresAt: '2026-11-16T09:00:00Z' } }),
    '/api/notifications/read-all': () => ({ data: { markedCount: 0, unreadCount: 0 } }),
  }
  const { client } = createTestClient({
    baseUrl: 'http://localhost',
    cookieSession: true,
    account: {
      address: '0x0000000000000000000000000000000000000001',
      signMessage: async ({ message }) => {
        signed.push(message)
        return '0x01'
      },
      signTypedData: async () => '0x02',
    },
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname
      sent.push({ path, credentials: init?.credentials, headers: init?.headers as Record<string, string> })
      const isPublic = path === '/api/config' || /auth\/(?!session)/.test(path)
      if (!isPublic && (!isSignedIn || isOver())) return Response.json(refusal, { status: 401 })
      return Response.json(responses[path]?.() ?? {})
    },
  })
  return { client, sent, signed }
}

test('calls carry the cookie and its CSRF token, never the JWT', async () => {
  const { client, sent } = createPage()
  await client.signIn()
  await client.markAllNotificationsRead()
  const last = sent.at(-1)
  expect(last).toMatchObject({ credentials: 'same-origin', headers: { 'x-csrf-token': 'csrf1' } })
  expect(last?.headers).not.toHaveProperty('authorization')
})

test('a reload goes on with the cookie’s session without asking the wallet', async () => {
  const { client, signed } = createPage({ hasCookie: true })
  expect(await client.resumeSession()).toMatchObject({ owner, csrfToken: 'csrf1' })
  await client.markAllNotificationsRead()
  expect(signed).toEqual([])
})

test('without a session nothing is resumed, nothing is sent and nothing is signed', async () => {
  const { client, sent, signed } = createPage()
  expect(await client.resumeSession()).toBeUndefined()
  await expect(client.markAllNotificationsRead()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(sent.map(({ path }) => path)).toEqual(['/api/auth/session'])
  expect(signed).toEqual([])
})

test('a session that has ended does not open the wallet by itself', async () => {
  let isOver = false
  const { client, signed } = createPage({ isOver: () => isOver })
  await client.signIn()
  isOver = true
  await expect(client.markAllNotificationsRead()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(signed).toEqual([message])
})
