import { createHash, randomBytes } from 'node:crypto'

/** How many keys of one owner may work at the same time. */
export const MAX_KEYS = 20
/** What a key's caller may do, compared with a session. */
export const RATE_FACTOR = 10
/** Of the Enterprise plan, which is made for programs with heavy traffic. */
export const ENTERPRISE_RATE_FACTOR = 100

const MARK = 'amk_'
const PREFIX_LENGTH = 10
const RANDOM_BYTES = 20
const keyPattern = /^amk_[0-9a-f]{40}$/

export interface MadeKey {
  key: string
  prefix: string
  hash: Uint8Array
}

/** 160 random bits: nobody finds them by trying, so a plain hash keeps them as well as a slow one. */
export function makeKey(): MadeKey {
  const key = `${MARK}${randomBytes(RANDOM_BYTES).toString('hex')}`
  return { key, prefix: key.slice(0, PREFIX_LENGTH), hash: hashKey(key) }
}

export const hashKey = (key: string): Uint8Array => createHash('sha256').update(key).digest()

/** Distinguishes keys from session tokens without a database lookup. */
export const isApiKey = (token: string): boolean => token.startsWith(MARK)
export const isWellFormed = (token: string): boolean => keyPattern.test(token)

const SESSION_MARK = 'api-key:'
/** The session that a key stands for. */
export const sessionIdOf = (keyId: string): string => `${SESSION_MARK}${keyId}`
export const isKeySession = (sessionId: string): boolean => sessionId.startsWith(SESSION_MARK)
export const keyIdOf = (sessionId: string): string => sessionId.slice(SESSION_MARK.length)
