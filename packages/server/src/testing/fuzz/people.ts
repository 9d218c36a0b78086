import { expect } from 'vitest'
import { newWallet, type Received, type SentRequest, signIn, type TestClient } from '../sign-in.ts'
import { startWorld, type World } from '../start-world.ts'
import type { Caller } from './requests.ts'
import type { Known } from './values.ts'

export interface FuzzedService {
  http: TestClient
  known: Known
  headersOf(caller: Caller): Record<string, string>
  /** Requests may have ended a session, undone a verification or paused the agent; all is made good again. */
  restore(): Promise<void>
}

/** In this process, with its database at hand. */
export async function startFuzzedService(): Promise<FuzzedService & { app: World }> {
  const admin = newWallet()
  const app = await startWorld({ environment: { ADMIN_WALLETS: admin.address } })
  return { ...(await addPeople(app.http, admin)), app }
}

/**
 * Two people in a service: a buyer who has done nothing yet, and someone who may do everything, who sells and who has
 * hired. What they have made is known to the requests, so that those reach further than 404.
 */
export async function addPeople(
  http: TestClient,
  adminWallet: ReturnType<typeof newWallet>,
): Promise<FuzzedService> {
  const people = { buyer: await signIn(http), admin: await signIn(http, adminWallet) }

  const asAdmin: Ask = (method = 'GET', url, payload) =>
    http.inject({ method, url, headers: people.admin.bearer, ...(payload ? { payload } : {}) })
  async function verify(): Promise<void> {
    expect((await asAdmin('POST', '/api/sandbox/kyc', verified)).statusCode).toBe(200)
  }
  async function signInAgain(caller: 'buyer' | 'admin'): Promise<void> {
    const { bearer, wallet } = people[caller]
    const session = await http.inject({ method: 'GET', url: '/api/auth/session', headers: bearer })
    if (session.statusCode !== 200) people[caller] = await signIn(http, wallet)
  }

  await verify()
  const known = await makeThings(asAdmin)
  const [agentId] = known.get('agentId') ?? []
  return {
    http,
    known,
    headersOf: (caller) => (caller === 'nobody' ? {} : people[caller].bearer),
    async restore() {
      await signInAgain('buyer')
      await signInAgain('admin')
      await verify()
      // One that is approved or at work already refuses these, which is as good.
      await asAdmin('POST', `/api/admin/agents/${agentId}/approve`)
      await asAdmin('POST', `/api/agents/${agentId}/resume`)
    },
  }
}

const verified = { status: 'VERIFIED', feePaid: true }

type Ask = (method: SentRequest['method'], url: string, payload?: object) => Promise<Received>

async function makeThings(ask: Ask): Promise<Known> {
  const expectDone = async (status: number, ...request: Parameters<Ask>) => {
    const response = await ask(...request)
    expect(response.statusCode, response.body).toBe(status)
    return response.json().data
  }
  const make = (url: string, payload: object) => expectDone(201, 'POST', url, payload)
  const agent = await make('/api/agents', {
    name: 'Reader',
    description: 'Reads.',
    category: 'research',
    hourlyRateUsdc: '1000000',
  })
  const job = { agentId: agent.id, title: 'Read', description: 'Read it.' }
  const paidByX402 = await make('/api/jobs', { ...job, agreedPrice: '2500000' })
  const paidByEscrow = await make('/api/jobs', { ...job, agreedPrice: '150000000' })
  const webhook = await make('/api/webhooks', { url: 'https://hooks.example/in' })
  const { notifications } = await expectDone(200, 'GET', '/api/notifications')
  const wallets = [agent.walletAddress]
  return new Map([
    ['agentId', [agent.id]],
    ['wallet', wallets],
    ['walletAddress', wallets],
    ['payeeWallet', wallets],
    ['jobId', [paidByX402.jobId, paidByEscrow.jobId]],
    ['webhookId', [webhook.id]],
    ['notificationId', notifications.map(({ id }: { id: string }) => id)],
  ])
}
