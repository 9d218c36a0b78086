import {
  formatUsdcReadable,
  JOB_DESCRIPTION_MAX_LENGTH,
  JobInput,
  parseMicro,
} from '@agent-marketplace/contract'
import { type AgentDetail, isMarketplaceError, MarketplaceError, usdc } from '@agent-marketplace/sdk'
import { type Static, Type } from 'typebox'
import { payInBand } from '../in-band-payment.ts'
import { readCaps } from '../read-caps.ts'
import { defineTool, type Market, type ToolOutcome } from '../tool.ts'
import { cut, UsdcInput } from '../views/amounts.ts'
import { Caps, capsWords } from '../views/caps.ts'
import { JobView, madeJobView, madeJobWords } from '../views/jobs.ts'
import { serviceId, wallet } from './finding.ts'
import { jobOutcome } from './job-outcome.ts'

const input = Type.Object({
  wallet,
  serviceId,
  input: Type.Record(Type.String(), Type.Unknown(), {
    ...JobInput,
    description: 'What the service needs to know, by its inputSchema: see get_service.',
  }),
  idempotencyKey: Type.String({
    pattern: '^[A-Za-z0-9_-]{16,128}$',
    description:
      'A random text such as a UUID, the same for every retry of this purchase. A second call with it never pays twice; a new purchase needs a new one.',
    examples: ['7f9c2ba4-e88f-4b1d-9c2e-6a1f0c9d3b57'],
  }),
  maxPriceUsdc: Type.Optional({ ...UsdcInput, description: 'Nothing is ordered if the service costs more.' }),
  buyerProtection: Type.Optional(
    Type.Boolean({
      description:
        'Below 100 USDC: pay into escrow, which holds the money until you approve. From 100 USDC on every job does. It needs an account.',
    }),
  ),
})
type Order = Static<typeof input>

/** Without required fields: what there is to pay comes in another shape, and older clients check every result. */
const output = Type.Partial(
  Type.Object({
    ...JobView.properties,
    caps: Caps,
  }),
)

export const hire = defineTool({
  name: 'hire',
  title: 'Hire an agent',
  description:
    'Orders a service and pays for it. A client with an x402 wallet gets the payment to sign, and sends it in _meta["x402/payment"]. A local wallet pays automatically, within its caps. With an account and no wallet the job waits for a person, who pays on its page: show them the link, then call wait_for_job.',
  scope: 'open',
  accountScopes: ['hire'],
  kind: 'final',
  input,
  output,
  async run(market, order, { meta }) {
    const payment = meta['x402/payment']
    const isInBand = payment !== undefined || (market.wallet === undefined && !market.hasAccount)
    const outcome = isInBand ? await hireInBand(market, order, payment) : await hireForAccount(market, order)
    if (outcome.isError) return outcome
    const caps = await readCaps(market)
    return { ...outcome, text: `${outcome.text}${capsWords(caps)}`, data: { ...outcome.data, caps } }
  },
})

async function hireInBand(market: Market, order: Order, payment: unknown) {
  checkProtection(order)
  if (payment === undefined) await checkPrice(market, order)
  else checkMaximum(amountOf(payment) ?? '0', order)
  return payInBand(market, order, payment)
}

/** What a payment of x402 is signed for; undefined where it is no such thing, which the marketplace rejects. */
function amountOf(payment: unknown): string | undefined {
  const { value } = Object(Object(Object(payment).payload).authorization)
  return typeof value === 'string' && /^[0-9]{1,78}$/.test(value) ? value : undefined
}

async function hireForAccount(market: Market, order: Order): Promise<ToolOutcome<Partial<JobView>>> {
  const { client, wallet: paying, publicUrl } = market
  const agent = await client.getAgent(order.wallet)
  const body = jobOf(agent, order)
  if (paying) return jobOutcome(await paying.hire(body, order.idempotencyKey), publicUrl)
  const { job } = await client.createJob(body, { idempotencyKey: order.idempotencyKey })
  try {
    return jobOutcome(await client.getJob(job.id), publicUrl)
  } catch (error) {
    // The job is made and takes from the caps, whether or not the credential may read it.
    if (!isMarketplaceError(error)) throw error
    const made = madeJobView({ ...job, serviceId: body.serviceId }, agent, publicUrl)
    return { text: madeJobWords(made, error.message), data: made }
  }
}

function jobOf(agent: AgentDetail, order: Order) {
  const service = agent.services.find(({ id }) => id === order.serviceId)
  if (!service) throw new MarketplaceError('NOT_FOUND', { message: 'The agent has no such service.' })
  checkMaximum(service.priceUSDC, order)
  const { task } = order.input
  return {
    agentId: agent.id,
    serviceId: service.id,
    title: cut(service.name, 80),
    description:
      typeof task === 'string' && task.trim() !== ''
        ? cut(task, JOB_DESCRIPTION_MAX_LENGTH)
        : `An order for “${service.name}”. The input says what is wanted.`,
    category: agent.category,
    agreedPrice: service.priceUSDC,
    input: order.input,
    ...(order.buyerProtection && { buyerProtection: true }),
  }
}

/** A payment in band goes straight to the seller. */
function checkProtection({ buyerProtection }: Order): void {
  if (buyerProtection)
    throw new MarketplaceError('UNAUTHORIZED', { message: 'Escrow below 100 USDC needs an account.' })
}

async function checkPrice({ client }: Market, order: Order): Promise<void> {
  if (order.maxPriceUsdc === undefined) return
  const { wallet, serviceId } = order
  const { data } = await client.call('describeService', { params: { wallet, serviceId } })
  checkMaximum(data.price, order)
}

function checkMaximum(price: string, { maxPriceUsdc }: Order): void {
  if (maxPriceUsdc === undefined || parseMicro(price) <= parseMicro(usdc(maxPriceUsdc))) return
  throw new MarketplaceError('UNEXPECTED_PAYMENT', {
    message: `It costs ${formatUsdcReadable(parseMicro(price))} USDC, which is more than maxPriceUsdc. Nothing was ordered.`,
    details: { price },
  })
}
