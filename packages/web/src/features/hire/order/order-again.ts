import type { AgentDetail, JobDetail } from '@agent-marketplace/contract'
import { fieldsOf } from '../../../data/schemas/schema-fields.ts'
import { describeInput, writeInput } from '../../../data/schemas/schema-input.ts'
import { inputServiceOf, type Order, startOrder } from './order.ts'

type Offered = Pick<AgentDetail, 'services' | 'hourlyRateUsdc' | 'customOrders'>

/** What is not as it was when the job was ordered. */
export interface Changes {
  /** Its service is not offered any more, or custom orders are not taken any more. */
  isGone: boolean
  /** What it cost and what it costs now, where that is not the same. */
  price: { beforeMicro: string; nowMicro: string } | undefined
  /** Files belong to their job, and are not handed in again. */
  hadFiles: boolean
}

const hoursOf = ({ createdAt, deadlineAt }: JobDetail): number | undefined =>
  deadlineAt === null
    ? undefined
    : Math.max(1, Math.round((Date.parse(deadlineAt) - Date.parse(createdAt)) / 3_600_000))

/** The same order once more, for the form: today's price and terms, the words and the input of then. Nothing is sent. */
export function orderAgain(agent: Offered, job: JobDetail): Order {
  const start = startOrder(agent, undefined, job.serviceId ?? undefined)
  const isCustom = job.serviceId === null && agent.customOrders !== 'OFF'
  const hours = hoursOf(job)
  const order: Order = {
    ...start,
    title: job.title,
    description: job.description,
    buyerProtection: job.buyerProtection,
    againOf: job.id,
    ...(isCustom && { serviceId: '', priceMicro: job.agreedPrice }),
    ...(isCustom && hours !== undefined && { deadlineHours: String(hours) }),
  }
  const service = inputServiceOf(agent, order)
  if (!service || job.input === null) return order
  const fields = fieldsOf(service.inputSchema)
  // Orders by a form have their input as description: it would stand there twice.
  const isSaid = describeInput(fieldsOf(job.inputSchema ?? {}), job.input).trim() === job.description
  return { ...order, description: isSaid ? '' : job.description, input: writeInput(fields, job.input) }
}

export function changesSince(agent: Offered, job: JobDetail): Changes {
  const service = agent.services.find(({ id }) => id === job.serviceId)
  const isGone = job.serviceId === null ? agent.customOrders === 'OFF' : service === undefined
  const nowMicro = service?.priceUSDC
  return {
    isGone,
    price:
      nowMicro === undefined || nowMicro === job.agreedPrice
        ? undefined
        : { beforeMicro: job.agreedPrice, nowMicro },
    hadFiles: job.files.length > 0 || job.attachments.length > 0,
  }
}
