import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { LightMyRequestResponse } from 'fastify'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Offer } from '../../../ports/payments/port.ts'
import { headerOf, signPayment } from '../../../testing/sign-payment.ts'
import type { TestAgent, TestJobs, TestOwner } from './start-jobs.ts'

/** The calls of the feature, as short as the tests want them. */
export function createJobCalls(world: TestJobs) {
  const { http } = world

  const send = (owner: TestOwner, url: string, payload?: object, headers: Record<string, string> = {}) =>
    http.inject({
      method: 'POST',
      url,
      headers: { ...owner.headers, ...headers },
      ...(payload ? { payload } : {}),
    })

  const calls = {
    send,
    get: (owner: TestOwner, url: string, headers: Record<string, string> = {}) =>
      http.inject({ method: 'GET', url, headers: { ...owner.headers, ...headers } }),

    /** Disputes wait for the chain: the engine works meanwhile. */
    act: (owner: TestOwner, jobId: string, verb: string, payload: object = {}) => {
      const response = send(owner, `/api/jobs/${jobId}/${verb}`, payload)
      return verb === 'dispute' ? world.whileWorking(response) : response
    },

    async jobOf(owner: TestOwner, jobId: string) {
      const response = await calls.get(owner, `/api/jobs/${jobId}`)
      return response.json().data.job
    },

    /** Hires and returns the created job's data, both forms. */
    async hire(client: TestOwner, agent: TestAgent, agreedPrice: string, more: object = {}) {
      const body = { agentId: agent.id, title: 'Reconcile October', description: 'All of it.', agreedPrice }
      const response = await send(client, '/api/jobs', { ...body, ...more })
      if (response.statusCode !== 201)
        throw new Error(`hiring returned ${response.statusCode}: ${response.body}`)
      return response.json().data
    },

    /** Signs the typed data that the service hands out. */
    async sign(payer: PrivateKeyAccount, typedData: Parameters<PrivateKeyAccount['signTypedData']>[0]) {
      return { authorization: typedData.message, signature: await payer.signTypedData(typedData) }
    },

    /** An escrow job that is paid for. */
    async hireAndFund(client: TestOwner, agent: TestAgent, agreedPrice = '150000000', more: object = {}) {
      await world.give(client.wallet.address, BigInt(agreedPrice))
      const { jobId, paymentInfo } = await calls.hire(client, agent, agreedPrice, more)
      const signed = await calls.sign(client.wallet, paymentInfo.typedData)
      const paid = await world.whileWorking(calls.act(client, jobId, 'pay', signed))
      if (paid.statusCode !== 200) throw new Error(`paying returned ${paid.statusCode}: ${paid.body}`)
      return jobId as string
    },

    /** The header that pays what a challenge asks for. */
    async x402Header(payer: PrivateKeyAccount, challenge: LightMyRequestResponse) {
      const required = decodePaymentRequiredHeader(String(challenge.headers['payment-required']))
      const offer = required.accepts[0]
      if (!offer) throw new Error('the challenge offers nothing')
      return calls.x402HeaderFor(payer, offer as Offer)
    },

    x402HeaderFor: async (payer: PrivateKeyAccount, offer: Offer) =>
      headerOf(await signPayment(world, payer, offer)),
  }
  return calls
}

export type JobCalls = ReturnType<typeof createJobCalls>
