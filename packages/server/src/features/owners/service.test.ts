import type { OwnAgent } from '@agent-marketplace/contract'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { prepareSteps } from '../../house/steps.ts'
import { createIdSource } from '../../platform/id/id.ts'
import { createLog } from '../../platform/log/log.ts'
import { createSandboxKyc } from '../../ports/kyc/sandbox.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { testSealer } from '../../testing/test-sealer.ts'
import { presentMe } from '../profile/present.ts'
import { createOwnersService } from './service.ts'
import { registration } from './testing/test-owners.ts'

const { db, close } = await createTestDatabase()
afterAll(close)

const clock = createTestClock()
const newId = createIdSource(clock)
const kyc = createSandboxKyc({ publicUrl: new URL('http://localhost'), webhookSecret: 'secret', clock })
const agent: OwnAgent = {
  id: 'cmi0a1b2c3d4e5f6g7h8i9j0k',
  walletAddress: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  name: 'Ledger Lark',
  description: 'Reconciles.',
  category: 'finance',
  avatarUrl: null,
  hourlyRateUsdc: '25000000',
  averageRating: 4.5,
  totalJobs: 3,
  approvalStatus: 'APPROVED',
  undeliveredJobs: 0,
  paused: false,
  listing: { visible: true, reasons: [] },
}

const forgotten: string[] = []
const logged: Record<string, unknown>[] = []
beforeEach(() => {
  forgotten.length = 0
  logged.length = 0
})

const { log } = createLog({
  level: 'info',
  destination: { write: (line) => void logged.push(JSON.parse(line)) },
})
const owners = createOwnersService({
  db,
  clock,
  newId,
  kyc,
  sealer: testSealer,
  log,
  isAdminWallet: (walletAddress) => walletAddress.endsWith('ad'),
  notify: async () => {},
  forgetOwner: (ownerId) => void forgotten.push(ownerId),
})

let wallets = 0
async function newOwner(): Promise<string> {
  wallets += 1
  const walletAddress = `0x${wallets.toString(16).padStart(40, '0')}`
  return (await owners.accounts.findOrCreate(db, walletAddress)).owner.id
}

async function kycStatusOf(ownerId: string): Promise<string> {
  return (await owners.accounts.find(db, ownerId)).owner.kycStatus
}

function approval(ownerId: string, sessionId: string) {
  return kyc.messageOf({ sessionId, ownerId, answer: 'GREEN', reason: undefined })
}

describe('accounts', () => {
  test('a wallet is one owner, in any letter case and when it signs in twenty times at once', async () => {
    const digits = '71c7656ec7ab88b098defb751b7401b5f6d8976f'
    const spellings = Array.from({ length: 20 }, (_, index) => (index % 2 ? digits : digits.toUpperCase()))
    const accounts = await Promise.all(
      spellings.map((spelling) => owners.accounts.findOrCreate(db, `0x${spelling}`)),
    )
    expect(new Set(accounts.map(({ owner }) => owner.id)).size).toBe(1)
    expect(accounts[0]).toMatchObject({ entityName: '', owner: { kycStatus: 'PENDING', isAdmin: false } })
  })

  test('admins are known by their wallet', async () => {
    const { owner } = await owners.accounts.findOrCreate(db, `0x${'00'.repeat(19)}ad`)
    expect(owner.isAdmin).toBe(true)
  })
})

test('the profile adds up agents and earnings of other features', async () => {
  const profile = await owners.profileOf(await newOwner())
  const earnings = { totalEarnedMicro: 2n ** 60n, availableBalanceMicro: 7n }
  expect(presentMe({ ...profile, agents: [agent], earnings }).b.data).toMatchObject({
    agentCount: 1,
    totalEarned: '1152921504606846976',
    availableBalance: '7',
    agents: [agent],
  })
})

const register = async (ownerId: string) =>
  db.transaction(await prepareSteps(owners.register(ownerId, registration)))

describe('registration', () => {
  test('asking the provider stores nothing: a retry after a crash ends with the same applicant', async () => {
    const ownerId = await newOwner()
    const lost = await owners.register(ownerId, registration).prepare()
    expect(await kycStatusOf(ownerId)).toBe('PENDING')
    const { session } = await register(ownerId)
    expect(session.sessionId).toBe(lost.session?.sessionId)
  })

  test('a state that changed between the two steps asks for another try', async () => {
    const ownerId = await newOwner()
    await db.transaction((tx) => owners.setKyc(tx, ownerId, { status: 'VERIFIED' }))
    const decide = await prepareSteps(owners.register(ownerId, registration))
    await db.transaction((tx) => owners.setKyc(tx, ownerId, { status: 'REJECTED' }))
    const late = db.transaction(decide)
    await expect(late).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('cached sessions are forgotten', () => {
  test('when a change of the status commits, and only then', async () => {
    const ownerId = await newOwner()
    const abandoned = db.transaction(async (tx) => {
      await owners.setKyc(tx, ownerId, { status: 'VERIFIED', feePaid: true })
      throw new Error('abandoned')
    })
    await expect(abandoned).rejects.toThrow('abandoned')
    expect(forgotten).toEqual([])
    await db.transaction((tx) => owners.setKyc(tx, ownerId, { status: 'VERIFIED' }))
    expect(forgotten).toEqual([ownerId])
    await db.transaction((tx) => owners.setKyc(tx, ownerId, { status: 'VERIFIED' }))
    expect(forgotten).toEqual([ownerId])
    await db.transaction((tx) => owners.setKyc(tx, ownerId, { feePaid: true }))
    expect(forgotten).toEqual([ownerId, ownerId])
  })

  test('when the provider decides, and not when it repeats itself', async () => {
    const ownerId = await newOwner()
    const { session } = await register(ownerId)
    forgotten.length = 0
    await owners.receiveKycWebhook(approval(ownerId, session.sessionId))
    await owners.receiveKycWebhook(approval(ownerId, session.sessionId))
    expect(forgotten).toEqual([ownerId])
    expect(logged.map(({ verdict }) => verdict)).toEqual(['applied', 'repeated'])
  })
})

test('a message about nobody is logged, without anything personal', async () => {
  await owners.receiveKycWebhook(approval('cnobody', 'applicant'))
  expect(logged).toEqual([
    {
      level: 40,
      time: expect.any(Number),
      eventId: expect.any(String),
      sessionId: 'applicant',
      outcome: 'VERIFIED',
      verdict: 'unknown applicant',
      msg: 'kyc message',
    },
  ])
})
