import type { LightMyRequestResponse } from 'fastify'
import type { PrivateKeyAccount } from 'viem/accounts'
import { newWallet, signIn } from '../../../testing/sign-in.ts'
import { startWorld } from '../../../testing/start-world.ts'

type TypedData = Parameters<PrivateKeyAccount['signTypedData']>[0]

/** A buyer, a seller with an agent, and a service that works by itself while they act as fast as they can. */
export async function startTimeTravellers() {
  const app = await startWorld({ isWorking: true })
  const newOwner = async () => {
    const wallet = newWallet()
    const { bearer } = await signIn(app.http, wallet)
    return { wallet, headers: bearer }
  }
  type Owner = Awaited<ReturnType<typeof newOwner>>

  const checked = (response: LightMyRequestResponse) => {
    if (response.statusCode >= 300) throw new Error(`${response.statusCode}: ${response.body}`)
    return response.json().data
  }
  const post = (owner: Owner, url: string, payload: object = {}) =>
    app.http.inject({ method: 'POST', url, headers: owner.headers, payload })

  const [buyer, seller] = [await newOwner(), await newOwner()]
  checked(await post(seller, '/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true }))
  const { agent } = checked(
    await post(seller, '/api/agents', {
      name: 'Ledger Lark',
      type: 'finance',
      bio: 'Reconciles on-chain payments with your books.',
      skills: ['bookkeeping'],
      services: [],
    }),
  )

  return {
    app,
    buyer,
    seller,
    post,

    /** An escrow job that is paid for. */
    async fundedJob(more: object = {}): Promise<string> {
      const agreedPrice = '150000000'
      const { address } = buyer.wallet
      checked(await post(buyer, '/api/sandbox/faucet', { address, amount: agreedPrice }))
      const body = { agentId: agent.id, title: 'Reconcile', description: 'All of it.', agreedPrice, ...more }
      const { jobId, paymentInfo } = checked(await post(buyer, '/api/jobs', body))
      const typedData: TypedData = paymentInfo.typedData
      const signature = await buyer.wallet.signTypedData(typedData)
      checked(await post(buyer, `/api/jobs/${jobId}/pay`, { authorization: typedData.message, signature }))
      return jobId
    },

    act: async (owner: Owner, jobId: string, verb: string, payload: object = {}) =>
      checked(await post(owner, `/api/jobs/${jobId}/${verb}`, payload)),

    advance: async (advanceSeconds: number) =>
      checked(await post(buyer, '/api/sandbox/clock', { advanceSeconds })),

    async jobOf(jobId: string) {
      const response = await app.http.inject({ url: `/api/jobs/${jobId}`, headers: buyer.headers })
      return checked(response).job
    },

    close: app.close,
  }
}

export type TimeTravellers = Awaited<ReturnType<typeof startTimeTravellers>>

const DAY = 24 * 3600

/** Delivers and lets the review window pass at once, over and over; returns how often the work was released. */
export async function countReleases(travellers: TimeTravellers, rounds: number): Promise<number> {
  let released = 0
  for (let round = 0; round < rounds; round += 1) {
    const jobId = await travellers.fundedJob()
    await travellers.act(travellers.seller, jobId, 'deliver', { content: 'Done.' })
    await travellers.advance(7 * DAY)
    const { status, escrowState } = await travellers.jobOf(jobId)
    if (status === 'COMPLETED' && escrowState === 'RELEASED') released += 1
  }
  return released
}
