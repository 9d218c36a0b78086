import type { LightMyRequestResponse } from 'fastify'
import type { PrivateKeyAccount } from 'viem/accounts'
import { newWallet, signIn } from '../../../testing/sign-in.ts'
import { startWorld } from '../../../testing/start-world.ts'

type TypedData = Parameters<PrivateKeyAccount['signTypedData']>[0]

/** 202 where the chain takes longer than a call waits. */
const done = [200, 202]

/** A buyer, a seller with an agent, and a service that works by itself while they act as fast as they can. */
export async function startTimeTravellers() {
  const app = await startWorld({ isWorking: true })
  const newOwner = async () => {
    const wallet = newWallet()
    const { bearer } = await signIn(app.http, wallet)
    return { wallet, headers: bearer }
  }
  type Owner = Awaited<ReturnType<typeof newOwner>>

  const checked = (response: LightMyRequestResponse, ...expected: number[]) => {
    if (!expected.includes(response.statusCode)) throw new Error(`${response.statusCode}: ${response.body}`)
    return response.json().data
  }
  const post = (owner: Owner, url: string, payload: object = {}) =>
    app.http.inject({ method: 'POST', url, headers: owner.headers, payload })

  const [buyer, seller] = [await newOwner(), await newOwner()]
  checked(await post(seller, '/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true }), 200)
  const { agent } = checked(
    await post(seller, '/api/agents', {
      name: 'Ledger Lark',
      type: 'finance',
      bio: 'Reconciles on-chain payments with your books.',
      skills: ['bookkeeping'],
      services: [],
    }),
    201,
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
      checked(await post(buyer, '/api/sandbox/faucet', { address, amount: agreedPrice }), 200)
      const body = { agentId: agent.id, title: 'Reconcile', description: 'All of it.', agreedPrice, ...more }
      const { jobId, paymentInfo } = checked(await post(buyer, '/api/jobs', body), 201)
      const typedData: TypedData = paymentInfo.typedData
      const signature = await buyer.wallet.signTypedData(typedData)
      const signed = { authorization: typedData.message, signature }
      checked(await post(buyer, `/api/jobs/${jobId}/pay`, signed), ...done)
      return jobId
    },

    act: async (owner: Owner, jobId: string, verb: string, payload: object = {}) =>
      checked(await post(owner, `/api/jobs/${jobId}/${verb}`, payload), ...done),

    advance: async (advanceSeconds: number) =>
      checked(await post(buyer, '/api/sandbox/clock', { advanceSeconds }), 200),

    async jobOf(jobId: string) {
      const response = await app.http.inject({ url: `/api/jobs/${jobId}`, headers: buyer.headers })
      return checked(response, 200).job
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
