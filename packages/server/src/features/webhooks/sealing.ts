import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const IV_BYTES = 12
const TAG_BYTES = 16

export interface Sealer {
  /** What is sealed for one webhook opens for no other. */
  seal(secret: string, webhookId: string): string
  /** Throws when it was sealed with another key, for another webhook, or changed since. */
  open(sealed: string, webhookId: string): string
}

/** AES-256-GCM under a key of its own, drawn from the service's secret. */
export function createSealer(sealingKey: string): Sealer {
  const key = new Uint8Array(hkdfSync('sha256', sealingKey, '', 'webhook secrets', 32))
  return {
    seal(secret, webhookId) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(webhookId))
      const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
    },
    open(sealed, webhookId) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(webhookId)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
      const opened = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
      return Buffer.concat([opened, decipher.final()]).toString('utf8')
    },
  }
}
