import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { type SignedInOwner, signIn } from '../../testing/sign-in.ts'
import { startWorld, type World } from '../../testing/start-world.ts'
import { openEventStream } from './testing/open-event-stream.ts'

// Every change is made in the database alone, as another process would make it: its announcement must do the rest.
let app: World
let url: string
beforeAll(async () => {
  // No heartbeat comes, by which a stream would look for itself.
  app = await startWorld({ streamLimits: { heartbeatMs: 24 * 3600 * 1000 } })
  url = `${await app.http.listen({ port: 0, host: '127.0.0.1' })}/api/notifications/stream`
})
afterAll(() => app.close())

const setAccount = ({ ownerId }: SignedInOwner, status: string) =>
  app.db.run(sql`update owners set account_status = ${status} where id = ${ownerId}`)

/** An owner with a key. */
async function withKey(wanted: object = {}): Promise<SignedInOwner & { key: string; keyId: string }> {
  const owner = await signIn(app.http)
  const payload = { name: 'Stream', ...wanted }
  const made = await app.http.inject({ method: 'POST', url: '/api/api-keys', headers: owner.bearer, payload })
  const { key, id: keyId } = made.json().data
  return { ...owner, key, keyId }
}

test.each(['SUSPENDED', 'DEACTIVATED'])('%s accounts lose their open streams at once', async (status) => {
  const owner = await signIn(app.http)
  const other = await signIn(app.http)
  const stream = await openEventStream(url, owner)
  const untouched = await openEventStream(url, other)
  await setAccount(owner, status)
  expect(await stream.ended).toBe(true)
  // Who is suspended may still read, with what they may do now; who is deactivated may not.
  const again = await openEventStream(url, owner)
  expect(again.status).toBe(status === 'SUSPENDED' ? 200 : 403)
  again.leave()
  let isEnded = false
  void untouched.ended.then(() => {
    isEnded = true
  })
  await setAccount(other, 'ACTIVE')
  expect(isEnded).toBe(false)
  untouched.leave()
})

test('a session that ends takes its streams along', async () => {
  const owner = await signIn(app.http)
  const stream = await openEventStream(url, owner)
  await app.http.inject({ method: 'POST', url: '/api/auth/logout', headers: owner.bearer })
  expect(await stream.ended).toBe(true)
})

test('a revoked key takes its streams along', async () => {
  const revoked = await withKey()
  const stream = await openEventStream(url, { token: revoked.key })
  expect(stream.status).toBe(200)
  await app.db.run(sql`update api_keys set revoked_at = ${app.clock.now()} where id = ${revoked.keyId}`)
  expect(await stream.ended).toBe(true)
})

test('a key that has expired loses its stream with the next change of its owner', async () => {
  const owner = await withKey({ expiresInDays: 1 })
  const stream = await openEventStream(url, { token: owner.key })
  expect(stream.status).toBe(200)
  app.wallClock.advance(24 * 3600)
  await app.db.run(sql`update owners set kyc_status = 'IN_REVIEW' where id = ${owner.ownerId}`)
  expect(await stream.ended).toBe(true)
})

test('logging out with a key ends nothing, and says so', async () => {
  const { key } = await withKey()
  const headers = { authorization: `Bearer ${key}` }
  const response = await app.http.inject({ method: 'POST', url: '/api/auth/logout', headers })
  expect(response.json().data).toEqual({
    loggedOut: false,
    message: expect.stringContaining('DELETE /api/api-keys'),
  })
  expect(response.headers['set-cookie']).toBeUndefined()
  const still = await app.http.inject({ method: 'GET', url: '/api/auth/session', headers })
  expect(still.statusCode).toBe(200)
})
