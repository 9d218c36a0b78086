import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import {
  AppError,
  DEFAULT_ORDER_WAIT_SECONDS,
  defaultInputSchema,
  escrowRail,
  formatUsdc,
  invalidField,
  invalidInput,
  JOB_DESCRIPTION_MAX_LENGTH,
  JOB_TITLE_MAX_LENGTH,
  type JobInput,
  MAX_ORDER_WAIT_SECONDS,
  x402Rail,
} from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { LEAST_SETTLED_MICRO } from '../../house/payments.ts'
import type { OrderedService } from '../../house/services/ordered-service.ts'
import { issuesAgainst } from '../../platform/json-schema/check-value.ts'
import { compileSchema } from '../../platform/json-schema/compile-schema.ts'

type Refusal = AppError<'INVALID_STATE'>

const PAID_BEFORE =
  'What you have paid for before is at its order URL, and in GET /api/jobs for the wallet that paid.'

/** Why a service cannot be ordered by x402 now; undefined when it can. */
export function refusalOf(service: OrderedService): Refusal | undefined {
  const refuse = (status: string, allowed: string[], message: string) =>
    new AppError('INVALID_STATE', { message, details: { status, allowed } })
  if (service.priceMicro >= x402Rail.belowMicro) {
    return refuse(
      escrowRail.method,
      [x402Rail.method],
      `From ${x402Rail.belowMicro / 1_000_000n} USDC on a service is paid through escrow: sign in, and hire the agent with POST /api/jobs/quote and POST /api/jobs.`,
    )
  }
  if (service.priceMicro < LEAST_SETTLED_MICRO) {
    const least = formatUsdc(LEAST_SETTLED_MICRO)
    return refuse(
      'BELOW_MINIMUM',
      ['FROM_MINIMUM'],
      `The least amount that is settled here is ${least} USDC. Hire the agent with POST /api/jobs.`,
    )
  }
  if (!service.x402Enabled) {
    return refuse('OFF', ['ON'], 'This service is not sold by x402. Hire the agent with POST /api/jobs.')
  }
  if (!service.isHireable) return refuse('CLOSED', ['OPEN'], `This agent cannot be hired now. ${PAID_BEFORE}`)
  if (service.isOffline)
    return refuse('OFFLINE', ['ONLINE'], `This agent does not respond now. ${PAID_BEFORE}`)
  return undefined
}

/** Rejects an order that could not be worked on, with the fields that are wrong. */
export function checkOrder(service: OrderedService, input: JobInput): void {
  const refusal = refusalOf(service)
  if (refusal) throw refusal
  const schema = compileSchema(service.terms.inputSchema ?? defaultInputSchema, '/inputSchema')
  const issues = issuesAgainst(schema, input, '')
  if (issues.length > 0) throw invalidInput(issues)
}

/** What a job says of itself to people. The input is beside it, as data. */
export function wordsOf({ name }: OrderedService, input: JobInput): { title: string; description: string } {
  const { task } = input
  const isTask = typeof task === 'string' && task.trim() !== ''
  const description = isTask ? task : `An order for “${name}”. The input says what is wanted.`
  return {
    title: name.slice(0, JOB_TITLE_MAX_LENGTH).trim(),
    description: description.slice(0, JOB_DESCRIPTION_MAX_LENGTH),
  }
}

/** The same for the same order, however its fields are sorted. */
export function fingerprintOf(order: { wallet: string; serviceId: string; input: JobInput }): string {
  const words = [order.wallet.toLowerCase(), order.serviceId, sorted(order.input)]
  return createHash('sha256').update(JSON.stringify(words)).digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return { fields: entries.map(([key, member]) => [key, sorted(member)]) }
}

const ID_CHARACTERS = 24

/** One authorization makes one job, however it is wrapped: so the job's id is drawn from it. */
export function jobIdOf({ payer, nonce }: { payer: string; nonce: string }): string {
  const digest = createHash('sha256').update(`${payer}:${nonce}`.toLowerCase()).digest('hex')
  const text = BigInt(`0x${digest}`).toString(36)
  return `c${text.slice(-ID_CHARACTERS).padStart(ID_CHARACTERS, '0')}`
}

const identifierPattern = /^[a-zA-Z0-9_-]{16,128}$/
const Named = Type.Object({
  'payment-identifier': Type.Object({
    id: Type.Optional(Type.Unknown()),
    info: Type.Optional(Type.Object({ id: Type.Optional(Type.Unknown()) })),
  }),
})
const named = Compile(Named)

/** One that is not read where it should stand is rejected: dropped in silence, a repeated order would be paid twice. */
export function checkIdentifier(sent: { identifier?: string | undefined; extensions?: unknown }): void {
  const extension = named.Check(sent.extensions) ? sent.extensions['payment-identifier'] : {}
  const meant = extension.info?.id ?? extension.id
  if (meant === undefined && sent.identifier === undefined) return
  if (meant === sent.identifier && identifierPattern.test(String(meant))) return
  throw invalidField('payment-identifier', 'must be 16 to 128 letters, digits, - or _')
}

export function conflictOf(): AppError<'CONFLICT'> {
  return new AppError('CONFLICT', {
    message:
      'This payment, or its payment-identifier, belongs to another order. It was not charged for this one.',
  })
}

/** What a call and an order hold of the header that paid. */
interface PaidHeader {
  headerDigest: string | null
}

/**
 * Whether a call holds more of the payment than anybody can read on chain, where a settled authorization and its signature
 * stand: the very header, with something in it that only its sender and this service know.
 */
export function isSender(sent: { digest: string; hasSecret: boolean }, order: PaidHeader): boolean {
  return sent.hasSecret && sent.digest === order.headerDigest
}

/** Signed, and not stored: the same order hands out the same one. */
export function orderTokenOf(jobId: string, secret: string): string {
  return `jot_${createHmac('sha256', secret).update(`order:${jobId}`).digest('base64url')}`
}

export function isTokenOf(jobId: string, token: string, secret: string): boolean {
  const [given, expected] = [token, orderTokenOf(jobId, secret)].map((text) =>
    createHash('sha256').update(text).digest(),
  )
  return given !== undefined && expected !== undefined && timingSafeEqual(given, expected)
}

/** `wait` of the Prefer header (RFC 7240), in seconds. Anything but a number is ignored. */
export function waitSecondsOf(
  prefer: string | string[] | undefined,
  unsaid = DEFAULT_ORDER_WAIT_SECONDS,
): number {
  const said = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})"?(?=$|[,;\s])/i.exec([prefer].flat().join(','))?.[1]
  return Math.min(said === undefined ? unsaid : Number(said), MAX_ORDER_WAIT_SECONDS)
}
