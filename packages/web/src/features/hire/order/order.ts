import type { AgentDetail, AgentServiceDetail } from '@agent-marketplace/contract'
import { JOB_DESCRIPTION_MAX_LENGTH, JOB_TITLE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import type { BodyOf } from '@agent-marketplace/sdk'
import type { AttachedFile } from '../../../data/files.ts'
import { fieldsOf } from '../../../data/schemas/schema-fields.ts'
import { describeInput, type FieldTexts, readInput } from '../../../data/schemas/schema-input.ts'

/** An order as it is being written: all of it text, so that it can be kept in the tab's storage. */
export interface Order {
  /** Empty for a price of one's own. */
  serviceId: string
  priceMicro: string
  /** Below 100 USDC: through escrow all the same. */
  buyerProtection: boolean
  title: string
  description: string
  requirements: string
  deadlineKind: 'hours' | 'date' | 'none'
  deadlineHours: string
  /** As the browser's date field writes it, in local time. */
  deadlineAt: string
  files: AttachedFile[]
  /** What the service wants to know, where it has an input schema of its own. */
  input: FieldTexts
  /** The job whose order it repeats; empty for a new one. */
  againOf: string
}

const emptyOrder: Order = {
  serviceId: '',
  priceMicro: '',
  buyerProtection: false,
  title: '',
  description: '',
  requirements: '',
  deadlineKind: 'hours',
  deadlineHours: '48',
  deadlineAt: '',
  files: [],
  input: {},
  againOf: '',
}

/** Takes up a service: its price and its delivery time. The words that are there already stay. */
export function withService(
  order: Order,
  {
    id,
    name,
    priceUSDC,
    deliveryTime,
  }: Pick<AgentServiceDetail, 'id' | 'name' | 'priceUSDC' | 'deliveryTime'>,
): Order {
  return {
    ...order,
    serviceId: id,
    priceMicro: priceUSDC,
    title: order.title || name,
    deadlineKind: 'hours',
    deadlineHours: deliveryTime.toString(),
  }
}

/** What the form begins with: what was kept, or the service that was chosen on the agent's page, or its first one. */
export function startOrder(
  agent: Pick<AgentDetail, 'services' | 'hourlyRateUsdc' | 'customOrders'>,
  kept: Order | undefined,
  wantedServiceId: string | undefined,
): Order {
  const { services, hourlyRateUsdc, customOrders } = agent
  const wanted = services.find(({ id }) => id === wantedServiceId)
  if (kept) {
    if (wanted && wanted.id !== kept.serviceId) return withService(kept, wanted)
    const chosen = services.find(({ id }) => id === kept.serviceId)
    if (chosen) return chosen.priceUSDC === kept.priceMicro ? kept : { ...kept, priceMicro: chosen.priceUSDC }
    if (customOrders === 'OFF' && services[0]) return withService(kept, services[0])
    return kept.serviceId === '' ? kept : { ...kept, serviceId: '' }
  }
  const first = wanted ?? services[0]
  if (first) return { ...withService(emptyOrder, first), title: '' }
  return { ...emptyOrder, priceMicro: hourlyRateUsdc === '0' ? '' : hourlyRateUsdc }
}

/** The service of the order, where it asks for input of its own. */
export function inputServiceOf(
  { services }: Pick<AgentDetail, 'services'>,
  { serviceId }: Pick<Order, 'serviceId'>,
): AgentServiceDetail | undefined {
  return services.find(({ id, inputRequired }) => id === serviceId && inputRequired)
}

/** The same as the service takes it. The requirements stand below the description, under a line of their own. */
export function orderBody(
  agent: Pick<AgentDetail, 'id' | 'category' | 'services'>,
  order: Order,
): BodyOf<'quoteJob'> {
  const service = inputServiceOf(agent, order)
  if (!service) return { ...wordsOf(order), ...termsOf(agent, order) }
  const fields = fieldsOf(service.inputSchema)
  const { input } = readInput(fields, order.input)
  const title = order.title.trim() || service.name.slice(0, JOB_TITLE_MAX_LENGTH)
  const description =
    order.description.trim() ||
    describeInput(fields, input).slice(0, JOB_DESCRIPTION_MAX_LENGTH) ||
    service.name
  return { title, description, input, ...termsOf(agent, order) }
}

function wordsOf(order: Order): { title: string; description: string } {
  const requirements = order.requirements.trim()
  const description = order.description.trim()
  return {
    title: order.title.trim(),
    description: requirements === '' ? description : `${description}\n\nRequirements:\n${requirements}`,
  }
}

function termsOf(agent: Pick<AgentDetail, 'id' | 'category'>, order: Order) {
  const terms = {
    agentId: agent.id,
    category: agent.category,
    agreedPrice: order.priceMicro,
    ...(order.serviceId === '' ? {} : { serviceId: order.serviceId }),
    ...(order.buyerProtection ? { buyerProtection: true } : {}),
    ...(order.files.length === 0 ? {} : { files: order.files.map(({ uri }) => uri) }),
  }
  if (order.deadlineKind === 'hours') return { ...terms, deadlineHours: Number(order.deadlineHours) }
  if (order.deadlineKind === 'date') {
    return { ...terms, deadline: new Date(order.deadlineAt).toISOString() }
  }
  return terms
}

/** Whether there is enough in it to ask the service about it. */
export function isWhole(agent: Pick<AgentDetail, 'services'>, order: Order): boolean {
  const words = inputServiceOf(agent, order) ? [] : [order.title, order.description]
  const texts = [...words, order.priceMicro]
  if (texts.some((text) => text.trim() === '') || order.priceMicro === '0') return false
  if (order.deadlineKind === 'hours') return /^[1-9]\d*$/.test(order.deadlineHours)
  return order.deadlineKind === 'none' || !Number.isNaN(Date.parse(order.deadlineAt))
}

/** Whether somebody has written or handed in something that would be missed. */
export const isStarted = ({ title, description, requirements, files, input }: Order): boolean =>
  files.length > 0 ||
  [title, description, requirements, ...Object.values(input)].some((text) => text.trim() !== '')

/** Storage can hold anything: each field is taken when it fits, and a file as long as the service keeps it. */
export function parseOrder(text: string | null, nowMs: number): Order | undefined {
  if (text === null) return undefined
  try {
    const raw: unknown = JSON.parse(text)
    if (typeof raw !== 'object' || raw === null) return undefined
    const kept = new Map<string, unknown>(Object.entries(raw))
    const textOf = (
      name: Exclude<keyof Order, 'files' | 'deadlineKind' | 'buyerProtection' | 'input'>,
    ): string => {
      const value = kept.get(name)
      return typeof value === 'string' ? value : emptyOrder[name]
    }
    const kind = kept.get('deadlineKind')
    const files = kept.get('files')
    return {
      serviceId: textOf('serviceId'),
      priceMicro: /^\d{0,16}$/.test(textOf('priceMicro')) ? textOf('priceMicro') : '',
      buyerProtection: kept.get('buyerProtection') === true,
      title: textOf('title'),
      description: textOf('description'),
      requirements: textOf('requirements'),
      deadlineKind: kind === 'date' || kind === 'none' ? kind : 'hours',
      deadlineHours: textOf('deadlineHours'),
      deadlineAt: textOf('deadlineAt'),
      files: Array.isArray(files) ? files.filter((file) => isKept(file, nowMs)) : [],
      input: textsIn(kept.get('input')),
      againOf: textOf('againOf'),
    }
  } catch {
    return undefined
  }
}

function textsIn(value: unknown): FieldTexts {
  const entries = Object.entries(Object(value) as Record<string, unknown>)
  return Object.fromEntries(
    entries.flatMap(([path, text]) => (typeof text === 'string' ? [[path, text]] : [])),
  )
}

function isKept(value: unknown, nowMs: number): value is AttachedFile {
  const { uri, name, sizeBytes, expiresAt } = Object(value) as Record<string, unknown>
  if (typeof uri !== 'string' || typeof name !== 'string' || typeof sizeBytes !== 'number') return false
  return typeof expiresAt === 'string' && Date.parse(expiresAt) > nowMs
}
