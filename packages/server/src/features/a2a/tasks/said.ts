import type { Message } from '@a2a-js/sdk'
import { ContentTypeNotSupportedError, RequestMalformedError } from '@a2a-js/sdk/errors'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { paymentIn, type SentPayment } from './x402.ts'

/** Throws where what a message asks for beside the order has no room. */
export type CheckRoom = (db: Queryable) => Promise<void>

/** The parts of a caller's message that concern an order. */
export interface Said {
  messageId: string
  text: string
  /** What the service is to work on. */
  input: Record<string, unknown> | undefined
  /** A service or skill, by its id. */
  named: string | undefined
  /** An agent by its wallet, for a message to the marketplace. */
  agent: string | undefined
  payment: SentPayment | undefined
  /** Run before something new is made, and not for what is there already: a repetition gets the same task at any time. */
  checkRoom?: CheckRoom | undefined
}

const MAX_ID_LENGTH = 200

export function readMessage(message: Message | undefined, more: Record<string, unknown> = {}): Said {
  if (!message) throw new RequestMalformedError('message is required')
  const { messageId, parts } = message
  if (messageId === '' || messageId.length > MAX_ID_LENGTH)
    throw new RequestMalformedError(`message.messageId must have 1 to ${MAX_ID_LENGTH} characters`)
  const metadata: Record<string, unknown> = { ...more, ...message.metadata }
  const payment = paymentIn(metadata)
  const texts: string[] = []
  const objects: Record<string, unknown>[] = []
  for (const { content } of parts) {
    if (content?.$case === 'text') texts.push(content.value)
    else if (content?.$case === 'data' && isObject(content.value)) objects.push(content.value)
    else throw new ContentTypeNotSupportedError('Parts are text, or data that is a JSON object.')
  }
  if (parts.length === 0 && !payment) throw new RequestMalformedError('message.parts must not be empty')
  if (objects.length > 1) throw new RequestMalformedError('A message has one data part at most.')
  const [object] = objects
  const envelope = object && isEnvelope(object) ? object : undefined
  const wrapped = envelope?.input
  return {
    messageId,
    text: texts.join('\n').trim(),
    input: envelope ? (isObject(wrapped) ? wrapped : undefined) : object,
    named: wordOf(envelope ?? {}, 'serviceId', 'skillId') ?? wordOf(metadata, 'serviceId', 'skillId'),
    agent: wordOf(envelope ?? {}, 'agent') ?? wordOf(metadata, 'agent'),
    payment,
  }
}

/** A data part that says which service its input is for. Every other one is the input itself. */
function isEnvelope(object: Record<string, unknown>): boolean {
  const keys = Object.keys(object)
  return keys.length > 0 && keys.every((key) => envelopeKeys.has(key))
}

const envelopeKeys = new Set(['agent', 'serviceId', 'skillId', 'input'])

function wordOf(fields: Record<string, unknown>, ...names: string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  return typeof found === 'string' ? found : undefined
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
