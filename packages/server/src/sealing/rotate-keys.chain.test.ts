import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openAdapters } from '../adapters.ts'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import type { Closer } from '../data.ts'
import { catchUp } from '../demo/seed-demo.ts'
import type { Database } from '../platform/db/database.ts'
import { sql } from '../platform/db/sql.ts'
import { createSealer } from '../platform/sealing/sealer.ts'
import { sealOwnerOf } from '../ports/wallets/sealed-key-store.ts'
import { loadSandboxSecrets, type SandboxSecrets } from '../sandbox-secrets.ts'
import { countValidSignatures, type Receiver, startReceiver } from '../testing/processes/start-receiver.ts'
import { newWallet, signIn } from '../testing/sign-in.ts'
import { rotateKeys } from './rotate-keys.ts'
import { createSealers, walletKeysOf } from './sealers.ts'

const silent = pino({ level: 'silent' })
const logs = { log: silent, accessLog: silent, flush: () => {} }
const wallet = newWallet()
const details = { country: 'GB', phoneNumber: '+44 20 7946 0123', ein: '98-7654321' }
const closers: Closer[] = []
let receiver: Receiver
let directory: string

beforeAll(async () => {
  receiver = await startReceiver()
  directory = await mkdtemp(join(tmpdir(), 'test-rotate-'))
  await chmod(directory, 0o711)
})
afterEach(closeAll)
afterAll(async () => {
  await receiver.close()
  await rm(directory, { recursive: true })
})

async function closeAll(): Promise<void> {
  for (const close of closers.splice(0).reverse()) await close()
}

const configOf = () =>
  readConfig({ DATA_DIR: join(directory, 'data'), DEMO: 'off', RATE_LIMITS: 'off', LOG_LEVEL: 'silent' })

async function start(): Promise<{ app: App; db: Database }> {
  const deps = await openAdapters(configOf(), logs, closers)
  await catchUp(deps)
  const app = await createApp(deps)
  closers.push(() => app.close())
  await app.start()
  return { app, db: deps.db }
}

/** Where a POST makes something. */
const madeAt = new Set(['/api/agents', '/api/webhooks', '/api/owners/withdrawals'])

async function call(
  app: App,
  headers: Record<string, string>,
  method: 'GET' | 'POST',
  url: string,
  payload?: object,
) {
  const response = await app.http.inject({ method, url, headers, ...(payload && { payload }) })
  const expected = madeAt.has(url) ? 201 : url.endsWith('/test') ? 202 : 200
  expect(response.statusCode, `${url}: ${response.body}`).toBe(method === 'GET' ? 200 : expected)
  return response.json()
}

const secretsFile = () => readFileSync(join(directory, 'data/secrets.json'), 'utf8')

test('a rotation that is interrupted is carried on, and everything sealed still works', async () => {
  // A seller with a funded agent, a webhook and personal data; half of it sealed as the version before did.
  let { app, db } = await start()
  const seller = await signIn(app.http, wallet)
  await call(app, seller.bearer, 'POST', '/api/owners/register', {
    entityType: 'COMPANY',
    entityName: 'Analytical Engines Ltd',
    email: 'ada@example.com',
    ...details,
  })
  await call(app, seller.bearer, 'POST', '/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true })
  const { data: created } = await call(app, seller.bearer, 'POST', '/api/agents', {
    name: 'Ledger Lark',
    type: 'finance',
    bio: 'Reconciles.',
    skills: ['bookkeeping'],
    services: [{ name: 'Close', priceUSDC: '25000000', deliveryTime: 24, x402Enabled: true }],
  })
  const { agent } = created
  await call(app, seller.bearer, 'POST', '/api/sandbox/faucet', {
    address: agent.walletAddress,
    amount: '30000000',
  })
  const once = { ...seller.bearer, 'idempotency-key': 'one-webhook' }
  const asked = { url: receiver.url, events: ['withdrawal.confirmed'] }
  const { data: webhook } = await call(app, once, 'POST', '/api/webhooks', asked)
  const before = loadSandboxSecrets(configOf().dataDir)
  await sealAsBefore(db, { agent, webhook, secrets: before })
  await closeAll()

  // The process ends after the first kind of seals; what was printed names no secret.
  const said: string[] = []
  const rotate = (say: (line: string) => void) => rotateKeys(configOf(), { log: silent, closers, say })
  await expect(
    rotate((line) => {
      said.push(line)
      throw new Error('interrupted')
    }),
  ).rejects.toThrow('interrupted')
  expect(said).toEqual(['wallet keys: 1 sealed again'])
  await closeAll()
  const begun = loadSandboxSecrets(configOf().dataDir)
  expect(begun.previous).toEqual({
    sessionSecret: before.sessionSecret,
    walletMasterKey: before.walletMasterKey,
  })

  // A service that is started in between opens both.
  ;({ app, db } = await start())
  const between = await signIn(app.http, wallet)
  await call(app, between.bearer, 'POST', `/api/webhooks/${webhook.id}/test`)
  await expect.poll(() => receiver.received.length).toBe(1)
  await withdraw(app, between.bearer, agent.id)
  await closeAll()

  said.length = 0
  await rotate((line) => void said.push(line))
  expect(said).toEqual([
    'wallet keys: 0 sealed again',
    'webhook secrets: 1 sealed again',
    'former webhook secrets: 0 sealed again',
    'webhook secrets in kept responses: 1 sealed again',
    'connection secrets: 0 sealed again',
    'former connection secrets: 0 sealed again',
    'connection tokens: 0 sealed again',
    'owners’ details: 1 sealed again',
    'Done. The old keys are gone, and everyone signs in again.',
  ])
  await closeAll()
  for (const secret of [before.sessionSecret, before.walletMasterKey])
    expect(secretsFile()).not.toContain(secret)
  const after = loadSandboxSecrets(configOf().dataDir)
  expect(after).toEqual({
    ...before,
    sessionSecret: begun.sessionSecret,
    walletMasterKey: begun.walletMasterKey,
  })
  expect(existsSync(join(directory, 'data/secrets.json.new'))).toBe(false)

  // Old sessions are over; wallet, webhook, kept response and personal data work with the new keys alone.
  ;({ app, db } = await start())
  const stale = await app.http.inject({ url: '/api/owners/me', headers: seller.bearer })
  expect(stale.statusCode).toBe(401)
  const again = await signIn(app.http, wallet)
  expect((await call(app, again.bearer, 'GET', '/api/owners/me')).owner).toMatchObject({
    id: seller.ownerId,
    email: 'ada@example.com',
    kycStatus: 'VERIFIED',
  })
  await withdraw(app, again.bearer, agent.id)
  await expect.poll(() => receiver.received.length).toBe(3)
  for (const message of receiver.received) expect(countValidSignatures(message, webhook.secret)).toBe(1)
  const repeated = await call(
    app,
    { ...again.bearer, 'idempotency-key': 'one-webhook' },
    'POST',
    '/api/webhooks',
    asked,
  )
  expect(repeated.data.secret).toBe(webhook.secret)
  const { sealed } = await db.one<{ sealed: string }>(
    sql`select sealed_details as sealed from owners where id = ${seller.ownerId}`,
  )
  const { personalData } = createSealers({ ...after, previousSessionSecret: undefined })
  expect(JSON.parse(personalData.open(sealed, seller.ownerId).toString())).toMatchObject(details)
})

async function withdraw(app: App, headers: Record<string, string>, agentId: string): Promise<void> {
  const { data } = await call(app, headers, 'POST', '/api/owners/withdrawals', {
    agentId,
    amount: '10000000',
  })
  const statusOf = async () =>
    (await call(app, headers, 'GET', `/api/owners/withdrawals/${data.id}`)).data.status
  await expect.poll(statusOf).toBe('CONFIRMED')
}

/** The version before sealed wallet keys under the master key itself, and webhook secrets without naming a key. */
async function sealAsBefore(
  db: Database,
  {
    agent,
    webhook,
    secrets,
  }: {
    agent: { id: string; walletAddress: string }
    webhook: { id: string }
    secrets: SandboxSecrets
  },
): Promise<void> {
  const owner = sealOwnerOf(agent.id, agent.walletAddress)
  const { key } = await db.one<{ key: string }>(
    sql`select sealed_key as key from agent_wallet_keys where agent_id = ${agent.id}`,
  )
  const master = { id: 'sandbox', key: Buffer.from(secrets.walletMasterKey, 'hex') }
  const privateKey = createSealer(walletKeysOf(secrets)).open(key, owner)
  await db.run(sql`
    update agent_wallet_keys set sealed_key = ${createSealer({ current: master }).seal(privateKey, owner)}
    where agent_id = ${agent.id}`)
  await db.run(sql`
    update webhooks set sealed_secret = split_part(sealed_secret, '.', 2) where id = ${webhook.id}`)
}
