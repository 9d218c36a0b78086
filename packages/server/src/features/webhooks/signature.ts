import { createHmac, randomBytes } from 'node:crypto'

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
export function signedHeaders(parts: SignedParts, secrets: readonly string[]): Record<string, string> {
  return {
    'webhook-id': parts.eventId,
    'webhook-timestamp': String(parts.timestampSeconds),
    'webhook-signature': secrets.map((secret) => signatureOf(parts, secret)).join(' '),
  }
}

function signatureOf({ eventId, timestampSeconds, body }: SignedParts, secret: string): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  const digest = createHmac('sha256', key).update(`${eventId}.${timestampSeconds}.${body}`).digest('base64')
  return `v1,${digest}`
}
