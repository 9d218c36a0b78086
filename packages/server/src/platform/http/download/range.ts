/** Both ends included. */
export interface Part {
  start: number
  end: number
}

/**
 * The part that a Range header asks for: undefined for the whole file, which is also the response to several parts at once
 * and to what is no range of bytes; `none` where the file has no such part.
 */
export function partOf(range: string | undefined, sizeBytes: number): Part | 'none' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(range?.replaceAll(' ', '') ?? '')
  const [, first = '', last = ''] = match ?? []
  if (!match || (first === '' && last === '')) return undefined
  if (first === '') {
    const count = Math.min(Number(last), sizeBytes)
    return count === 0 ? 'none' : { start: sizeBytes - count, end: sizeBytes - 1 }
  }
  const start = Number(first)
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= sizeBytes ? 'none' : { start, end }
}
