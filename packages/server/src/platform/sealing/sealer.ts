import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { AppError } from '@agent-marketplace/contract'

/** A key that seals. Its id stands before everything that it sealed, so keys can be changed while old seals still open. */
export interface SealingKey {
  id: string
  /** 32 bytes. */
  key: Uint8Array
}

export interface SealingKeys {
  /** Seals everything new. */
  current: SealingKey
  /** Only open what they sealed before. Where two have one id, each is tried; no id stands for seals without one. */
  previous?: readonly SealingKey[]
}

export interface Sealer {
  readonly currentKeyId: string
  /** The owner is whatever names the row: a seal moved to another one does not open. */
  seal(secret: Uint8Array | string, owner: string): string
  /** Throws when the key is not known, the owner is another one, or a bit was changed. */
  open(sealed: string, owner: string): Buffer
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM. With random 96-bit nonces one key may seal 2^32 secrets, far more than there will be. */
export function createSealer({ current, previous = [] }: SealingKeys): Sealer {
  const currentKey = keyObjectOf(current.key)
  const keys = [
    { id: checkedId(current.id), key: currentKey },
    ...previous.map(({ id, key }) => ({ id: id && checkedId(id), key: keyObjectOf(key) })),
  ]

  return {
    currentKeyId: current.id,

    seal(secret, owner) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, currentKey, nonce, { authTagLength: tagBytes })
      cipher.setAAD(Buffer.from(owner))
      const ciphertext = Buffer.concat([cipher.update(Buffer.from(secret)), cipher.final()])
      const body = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')
      return `${current.id}.${body}`
    },

    open(sealed, owner) {
      const dot = sealed.indexOf('.')
      const keyId = sealed.slice(0, Math.max(dot, 0))
      const bytes = Buffer.from(sealed.slice(dot + 1), 'base64url')
      if (bytes.length <= nonceBytes + tagBytes) throw cannotOpen()
      let cause: unknown
      for (const { id, key } of keys) {
        if (id !== keyId) continue
        try {
          return openWith(key, bytes, owner)
        } catch (error) {
          cause = error
        }
      }
      throw cannotOpen(cause)
    },
  }
}

function openWith(key: KeyObject, bytes: Buffer, owner: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(owner))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const opened = decipher.update(bytes.subarray(nonceBytes + tagBytes))
  return Buffer.concat([opened, decipher.final()])
}

/** A KeyObject prints as its type: unlike a buffer it cannot end up in a log by accident. */
function keyObjectOf(key: Uint8Array): KeyObject {
  if (key.length !== 32) throw new TypeError('A sealing key has 32 bytes')
  return createSecretKey(key)
}

function checkedId(id: string): string {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) throw new TypeError('A key id is 1 to 32 plain characters')
  return id
}

function cannotOpen(cause?: unknown): AppError<'INTERNAL_ERROR'> {
  return new AppError('INTERNAL_ERROR', { message: 'A seal cannot be opened.', cause })
}
