import type { WebhookEventType } from '@agent-marketplace/contract'
import { Webhook } from 'standardwebhooks'
import { MarketplaceError } from '../errors.ts'

/** One message to a webhook. */
export interface WebhookEvent {
  /** The same in every attempt: a message with an id that you have seen is a repetition. */
  id: string
  type: WebhookEventType
  timestamp: string
  data: Record<string, unknown>
}

/** A message as your server received it. */
export interface WebhookMessage {
  /** The bytes as they came, as text: parsed and written again they have another signature. */
  body: string
  headers: Headers | Record<string, string | string[] | undefined>
  /** The webhook's secret, `whsec_…`. */
  secret: string
}

/**
 * Reads a message to your webhook once its signature is checked. Throws UNAUTHORIZED for a message that was not signed
 * with this secret, or more than five minutes ago.
 *
 * @example
 * const event = verifyWebhook({ body, headers: request.headers, secret: process.env.WEBHOOK_SECRET })
 * if (event.type === 'job.funded') await startWork(event.data)
 */
export function verifyWebhook({ body, headers, secret }: WebhookMessage): WebhookEvent {
  const signed = {
    'webhook-id': readHeader(headers, 'webhook-id'),
    'webhook-timestamp': readHeader(headers, 'webhook-timestamp'),
    'webhook-signature': readHeader(headers, 'webhook-signature'),
  }
  try {
    const message = new Webhook(secret).verify(body, signed) as Omit<WebhookEvent, 'id'>
    return { ...message, id: signed['webhook-id'] }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new MarketplaceError('UNAUTHORIZED', { message: `The message is not valid: ${reason}.`, cause })
  }
}

function readHeader(headers: WebhookMessage['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : ''
}
