import { FILE_NAME_MAX_LENGTH } from '@agent-marketplace/contract'

/** Control characters, and those that turn the direction of writing or cannot be seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
/** Characters that some file systems reject. */
const UNWRITABLE = /[<>:"|?*]/g
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const EXTENSION = /\.[^.]{1,16}$/u

/** A name that any file system accepts, without hidden characters. Of a path the last part is kept. */
export function safeFileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  const plain = last
    .normalize('NFC')
    .replace(UNSEEN, '')
    .replace(UNWRITABLE, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  const short = shorten(plain)
  if (short === '') return 'file'
  return RESERVED.test(short) ? `_${short}` : short
}

function shorten(name: string): string {
  const letters = Array.from(name)
  if (letters.length < FILE_NAME_MAX_LENGTH) return name
  const extension = EXTENSION.exec(name)?.[0] ?? ''
  const room = FILE_NAME_MAX_LENGTH - 1 - Array.from(extension).length
  return `${letters.slice(0, room).join('')}${extension}`
}

const MEDIA_TYPE = /^\s*([a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,63})\s*(;|$)/i

/** The media type that the sender declared, without parameters. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  MEDIA_TYPE.exec(contentType ?? '')?.[1]?.toLowerCase() ?? 'application/octet-stream'
