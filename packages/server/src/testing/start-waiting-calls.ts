import { priceForQuota } from '@agent-marketplace/contract'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { createJobCalls } from '../features/jobs/testing/job-calls.ts'
import { startJobs, type TestOwner } from '../features/jobs/testing/start-jobs.ts'
import { createSubscribers } from '../features/subscriptions/testing/subscribers.ts'
import { toPaymentPayload } from '../ports/payments/exact-payload.ts'
import type { Offer } from '../ports/payments/port.ts'
import { signPayment } from './sign-payment.ts'

const SERVICE = 'creconcile000000000000001'
const ESCROW_PRICE = '100000000'
const X402_PRICE = '5000000'
const SUBSCRIPTION = '/api/owners/subscription/onchain'

/** A call, as it is sent to any process. */
export interface Asked {
  url: string
  method?: 'GET' | 'POST'
  headers: Record<string, string>
  payload?: object
}

/** A world, and one call of each kind that waits: for the chain, an agent or anything else. */
export async function startWaitingCalls() {
  const world = await startJobs()
  const calls = createJobCalls(world)
  const [client, seller] = await Promise.all([world.newOwner(), world.newOwner()])
  const services = [{ id: SERVICE, priceMicro: X402_PRICE, deliveryHours: 24 }]
  const agent = await world.newAgent(seller, { services })
  const { newSubscriber } = await createSubscribers({
    chaos: world.chaos,
    execute: world.execute,
    newOwner: (wallet) => world.newOwner({ wallet, kycStatus: 'VERIFIED' }),
  })
  await world.give(client.wallet.address, 10_000_000_000n)

  let keys = 0
  const post = (owner: TestOwner, url: string, payload?: object, headers: object = {}): Asked => {
    keys += 1
    const key = { 'idempotency-key': `waiting-call-${keys}` }
    return { url, headers: { ...owner.headers, ...key, ...headers }, ...(payload && { payload }) }
  }

  const send = ({ method = 'POST', ...asked }: Asked) =>
    world.whileWorking(world.http.inject({ ...asked, method }))

  /** What the x402 challenge to this call asks for. */
  async function offerTo(asked: Asked): Promise<Offer> {
    const challenge = await send(asked)
    const [offer] = decodePaymentRequiredHeader(String(challenge.headers['payment-required'])).accepts
    return offer as Offer
  }

  async function paying(asked: Asked): Promise<Asked> {
    const header = await calls.x402HeaderFor(client.wallet, await offerTo(asked))
    return { ...asked, headers: { ...asked.headers, ...header } }
  }

  async function x402Payment(): Promise<{ jobId: string; asked: Asked }> {
    const { jobId } = await calls.hire(client, agent, X402_PRICE)
    return { jobId, asked: await paying(post(client, `/api/jobs/${jobId}/pay`)) }
  }

  async function paidJob(): Promise<string> {
    const { jobId, asked } = await x402Payment()
    await send(asked)
    return jobId
  }

  const order = () =>
    paying(
      post(
        client,
        `/api/agents/${agent.wallet}/services/${SERVICE}/orders`,
        { task: 'Reconcile.' },
        { prefer: 'wait=0' },
      ),
    )

  const tool = (name: string, args: object): Asked => ({
    url: '/mcp',
    headers: { ...client.headers, accept: 'application/json, text/event-stream' },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  })

  return {
    world,
    send,
    calls: {
      async deposit() {
        const { jobId, paymentInfo } = await calls.hire(client, agent, ESCROW_PRICE)
        return post(client, `/api/jobs/${jobId}/pay`, await calls.sign(client.wallet, paymentInfo.typedData))
      },
      payment: async () => (await x402Payment()).asked,
      async hire() {
        const terms = { agentId: agent.id, title: 'Work', description: 'Work.', agreedPrice: ESCROW_PRICE }
        const { reservation, paymentInfo } = (await calls.send(client, '/api/jobs/quote', terms)).json().data
        const signed = await calls.sign(client.wallet, paymentInfo.typedData)
        return post(client, '/api/jobs', { ...terms, reservation, ...signed })
      },
      order,
      refund: async () => post(seller, `/api/jobs/${await paidJob()}/refund`, { reason: 'Sorry.' }),
      async dispute() {
        const jobId = await calls.hireAndFund(client, agent, ESCROW_PRICE)
        await calls.act(seller, jobId, 'deliver', { deliverable: 'Done.' })
        await world.runUntilIdle()
        return post(client, `/api/jobs/${jobId}/dispute`, { reason: 'Half of it.' })
      },
      fee: async () => {
        const owner = await world.newOwner()
        return paying(post(owner, '/api/owners/kyc/fee'))
      },
      async facilitator() {
        const { jobId } = await calls.hire(client, agent, X402_PRICE)
        const offer = await offerTo(post(client, `/api/jobs/${jobId}/pay`))
        const { payment } = await signPayment(world, client.wallet, offer)
        return post(client, '/api/x402/facilitator/settle', {
          x402Version: 2,
          paymentPayload: toPaymentPayload(payment, offer),
          paymentRequirements: offer,
        })
      },
      async subscription() {
        const subscriber = await newSubscriber()
        return post(subscriber, SUBSCRIPTION, await subscriber.body())
      },
      async upgrade() {
        const subscriber = await newSubscriber()
        const first = await subscriber.body()
        await send(post(subscriber, SUBSCRIPTION, first))
        const raised = { allowance: priceForQuota(20).toString(), start: first.permission.start }
        return post(subscriber, `${SUBSCRIPTION}/upgrade`, await subscriber.body(raised, { agentQuota: 20 }))
      },
      async delivery(): Promise<Asked> {
        const { data } = (await send(await order())).json()
        const headers = { ...client.headers, prefer: 'wait=120' }
        return { method: 'GET', url: `/api/orders/${data.jobId}`, headers }
      },
      feed: async (): Promise<Asked> => ({
        method: 'GET',
        url: '/api/notifications/stream',
        headers: client.headers,
      }),
      tool: async () => tool('wait_for_job', { jobId: await paidJob() }),
    },
    close: world.close,
  }
}

export type WaitingCalls = Awaited<ReturnType<typeof startWaitingCalls>>
