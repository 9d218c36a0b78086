import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock/clock.ts'

export type NewId = () => string

const TIME_CHARACTERS = 8
const RANDOM_CHARACTERS = 16
const BASE_36 = '0123456789abcdefghijklmnopqrstuvwxyz'
/** Random bytes are requested in bulk: one call for each id took longer than all the rest of it. */
const BULK_BYTES = 1024

/**
 * 25 characters: `c`, the time in base 36 (8 characters, so that ids sort by creation until the year 2059) and 16
 * random characters, about 82 bits.
 */
export function createIdSource(clock: Clock): NewId {
  const nextByte = createByteSource(BULK_BYTES)
  return () => placeOf(clock.now().getTime()) + base36(RANDOM_CHARACTERS, nextByte)
}

export const isId = (text: string): boolean => /^c[0-9a-z]{24}$/.test(text)

/** Before all ids of this time and after all earlier ones. */
const placeOf = (ms: number): string => `c${ms.toString(36).padStart(TIME_CHARACTERS, '0')}`
export const placeAt = (moment: Date): string => placeOf(moment.getTime())
const msOf = (id: string): number => Number.parseInt(id.slice(1, 1 + TIME_CHARACTERS), 36)

/** The place in the order of ids at which this share of the time between two of them has passed. */
export const placeBetween = (first: string, last: string, share: number): string =>
  placeOf(Math.floor(msOf(first) + share * (msOf(last) - msOf(first))))

export const randomBase36 = (length: number): string => base36(length, createByteSource(length))

/** Bytes of 252 and above are thrown away, so that every character is equally likely. */
function base36(length: number, nextByte: () => number): string {
  let text = ''
  while (text.length < length) {
    const byte = nextByte()
    if (byte < 252) text += BASE_36[byte % 36]
  }
  return text
}

function createByteSource(bulkBytes: number): () => number {
  let bytes = Buffer.alloc(0)
  let used = 0
  return () => {
    if (used === bytes.length) {
      bytes = randomBytes(bulkBytes)
      used = 0
    }
    const byte = bytes.readUInt8(used)
    used += 1
    return byte
  }
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits; 32 of them hold about 190 bits. */
export function randomAlphanumeric(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62]
    }
  }
  return text
}
