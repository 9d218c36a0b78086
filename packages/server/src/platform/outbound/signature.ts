import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A secret as Standard Webhooks writes it: the prefix, then the key in base64. */
export function newSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

export interface SignedParts {
  eventId: string
  timestampSeconds: number
  body: string
}

/** The headers of one attempt. Every secret that is valid signs, so that a receiver may know any one of them. */
export function signedHeaders(
  { eventId, timestampSeconds, body }: SignedParts,
  secrets: readonly string[],
): Record<string, string> {
  const at = new Date(timestampSeconds * 1000)
  const signatures = secrets.map((secret) => new Webhook(secret).sign(eventId, at, body))
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
  }
}
