import {
  invalidField,
  type JobCreateA,
  type JobCreateB,
  type JobInput,
  parseMicro,
} from '@agent-marketplace/contract'
import { addSeconds } from '../../../platform/clock/clock.ts'

export interface NewJob {
  agentId: string
  title: string
  description: string
  category: string
  priceMicro: bigint
  deadlineAt: Date | null
  attachments: string[]
  /** Undefined for a custom order. */
  serviceId: string | undefined
  input: JobInput | undefined
  buyerProtection: boolean
}

const LAST_YEAR = 2100

export type JobBody = { form: 'a'; value: JobCreateA } | { form: 'b'; value: JobCreateB }

/** Either form of the request as one value. */
export function readNewJob({ form, value }: JobBody, now: Date): NewJob {
  return {
    agentId: value.agentId,
    title: value.title.trim(),
    description: value.description.trim(),
    category: value.category?.trim() ?? 'general',
    priceMicro: parseMicro(value.agreedPrice),
    deadlineAt: form === 'a' ? deadlineIn(value.deadlineHours, now) : readDeadline(value.deadline, now),
    attachments: value.attachments ?? [],
    serviceId: value.serviceId,
    input: value.input,
    buyerProtection: value.buyerProtection ?? false,
  }
}

/** The escrow counts in seconds, so deadlines are whole ones on both rails. */
const wholeSeconds = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000)

function deadlineIn(hours: number | undefined, now: Date): Date | null {
  return hours === undefined ? null : wholeSeconds(addSeconds(now, hours * 3600))
}

function readDeadline(deadline: string | undefined, now: Date): Date | null {
  if (deadline === undefined) return null
  const time = wholeSeconds(new Date(deadline))
  if (time <= now) throw invalidField('deadline', 'is in the past')
  if (time.getUTCFullYear() >= LAST_YEAR)
    throw invalidField('deadline', `is not before the year ${LAST_YEAR}`)
  return time
}
