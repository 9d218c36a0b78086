import { railFor } from '@agent-marketplace/contract'
import type { AgentDetail } from '@agent-marketplace/sdk'
import { CommandError } from '../exit-codes.ts'
import { amountFrom, readable } from '../output/amounts.ts'
import { oneLine } from '../output/printable.ts'
import type { Order } from './purchase.ts'

/** What the user wrote. */
export interface Wish {
  service?: string | undefined
  input?: Record<string, unknown> | undefined
  title?: string | undefined
  description?: string | undefined
  price?: string | undefined
  protect?: boolean | undefined
}

type Service = AgentDetail['services'][number]

const TITLE_LENGTH = 80

/** The order for a service, or a custom one, as the marketplace takes it. */
export function orderFrom(agent: AgentDetail, wish: Wish): Order {
  const service = chooseService(agent, wish)
  const { input, title, description, price, protect } = wish
  const task = typeof input?.task === 'string' ? input.task : undefined
  const words =
    description ?? task ?? (input && service ? `${service.name}, with the input given.` : undefined)
  if (words === undefined)
    throw new CommandError('usage', 'Say what is to be done, with --input, --file or --description.')
  const agreedPrice = price === undefined ? service?.priceUSDC : String(amountFrom(price, '--price'))
  if (agreedPrice === undefined) throw new CommandError('usage', 'A custom order needs a --price.')
  return {
    agentId: agent.id,
    title: [...(title ?? service?.name ?? words)].slice(0, TITLE_LENGTH).join(''),
    description: words,
    agreedPrice,
    ...(service && { serviceId: service.id }),
    ...(input && { input }),
    ...(protect && { buyerProtection: true }),
  }
}

/** By its id or its name. The only service of an agent needs no naming, unless a custom order is described by its price. */
function chooseService(
  { services, name }: AgentDetail,
  { service: wanted, price }: Wish,
): Service | undefined {
  if (wanted === undefined) {
    if (price !== undefined || services.length === 0) return undefined
    if (services.length === 1) return services[0]
    throw new CommandError('usage', `${oneLine(name)} has several services. Name one:\n${listOf(services)}`)
  }
  const isNamed = (service: Service) => service.name.toLowerCase() === wanted.toLowerCase()
  const found = services.find(({ id }) => id === wanted) ?? services.find(isNamed)
  if (!found)
    throw new CommandError(
      'usage',
      `${oneLine(name)} has no service “${wanted}”. It has:\n${listOf(services)}`,
    )
  return found
}

const listOf = (services: readonly Service[]): string =>
  services
    .map(({ id, name, priceUSDC }) => `  ${id}  ${oneLine(name)}, ${readable(priceUSDC)} USDC`)
    .join('\n')

/** What is agreed to, in words, before anything is signed. */
export function priceInWords(agent: AgentDetail, { title, agreedPrice, buyerProtection }: Order): string {
  const { holdsMoney } = railFor(BigInt(agreedPrice), { buyerProtection })
  const way = holdsMoney ? 'into escrow, until you approve the work' : 'by x402, straight to the agent'
  return `${oneLine(title)} by ${oneLine(agent.name)}: ${readable(agreedPrice)} USDC ${way}.`
}
