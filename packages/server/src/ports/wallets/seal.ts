import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { AppError } from '@agent-marketplace/contract'

/** A master key. Its id stands before everything that it sealed, so keys can be changed while old seals still open. */
export interface MasterKey {
  id: string
  /** 32 bytes. */
  key: Uint8Array
}

export interface MasterKeys {
  /** Seals everything new. */
  current: MasterKey
  /** Only open what they sealed before. */
  previous?: readonly MasterKey[]
}

/** Whose key it is. A seal moved to another agent or address does not open. */
export interface SealOwner {
  agentId: string
  address: string
}

export interface Sealer {
  readonly currentKeyId: string
  seal(secret: Uint8Array, owner: SealOwner): string
  open(sealed: string, owner: SealOwner): Buffer
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** AES-256-GCM under the master keys. With random 96-bit nonces one key may seal 2^32 wallets, far more than there will be. */
export function createSealer({ current, previous = [] }: MasterKeys): Sealer {
  const keys = new Map([...previous, current].map(({ id, key }) => [checkedId(id), keyObjectOf(key)]))
  const currentKey = keyObjectOf(current.key)
  if (keys.size !== previous.length + 1) throw new TypeError('Two master keys have the same id')

  return {
    currentKeyId: current.id,

    seal(secret, owner) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, currentKey, nonce, { authTagLength: tagBytes })
      cipher.setAAD(describeOwner(owner))
      const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()])
      const body = Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')
      return `${current.id}.${body}`
    },

    open(sealed, owner) {
      const [keyId = '', body = ''] = sealed.split('.')
      const key = keys.get(keyId)
      const bytes = Buffer.from(body, 'base64url')
      if (key === undefined || bytes.length <= nonceBytes + tagBytes) throw cannotOpen()
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(describeOwner(owner))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      const opened = decipher.update(bytes.subarray(nonceBytes + tagBytes))
      try {
        return Buffer.concat([opened, decipher.final()])
      } catch (error) {
        throw cannotOpen(error)
      }
    },
  }
}

function describeOwner({ agentId, address }: SealOwner): Buffer {
  return Buffer.from(JSON.stringify([agentId, address.toLowerCase()]))
}

/** A KeyObject prints as its type: unlike a buffer it cannot end up in a log by accident. */
function keyObjectOf(key: Uint8Array): KeyObject {
  if (key.length !== 32) throw new TypeError('A master key has 32 bytes')
  return createSecretKey(key)
}

function checkedId(id: string): string {
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id)) throw new TypeError('A master key id is 1 to 32 plain characters')
  return id
}

function cannotOpen(cause?: unknown): AppError<'INTERNAL_ERROR'> {
  return new AppError('INTERNAL_ERROR', { message: 'The wallet cannot be opened.', cause })
}
