import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock/clock.ts'

export type NewId = () => string

const RANDOM_CHARACTERS = 16

/**
 * 25 characters: `c`, the time in base 36 (8 characters, so that ids sort by creation until the year 2059) and 16
 * random characters, about 82 bits.
 */
export function createIdSource(clock: Clock): NewId {
  return () => `c${clock.now().getTime().toString(36).padStart(8, '0')}${randomBase36(RANDOM_CHARACTERS)}`
}

/** Bytes of 252 and above are thrown away, so that every character is equally likely. */
export function randomBase36(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 252 && text.length < length) text += (byte % 36).toString(36)
    }
  }
  return text
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
