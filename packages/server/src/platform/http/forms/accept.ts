/**
 * How an Accept header is read (RFC 9110, 12.5.1): without regard to letter case, with q-values, and the range that names a
 * type most exactly decides about it.
 */

interface Range {
  type: string
  quality: number
}

/** Beyond this many ranges nobody means anything by them. */
const MAX_RANGES = 32

function rangesOf(accept: string): Range[] {
  return accept
    .toLowerCase()
    .split(',', MAX_RANGES)
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { type, quality: quality === undefined ? 1 : qualityOf(quality) }
    })
    .filter(({ type }) => type !== '')
}

/** What is no number from 0 to 1 says nothing. */
function qualityOf(text: string): number {
  const quality = text === '' ? Number.NaN : Number(text)
  return quality >= 0 && quality <= 1 ? quality : 1
}

/** How gladly the caller takes this type, and whether it was named itself; a quality of 0 means not at all. */
function judge(ranges: readonly Range[], mediaType: string): { quality: number; isNamed: boolean } {
  const [group] = mediaType.split('/')
  for (const candidate of [mediaType, `${group}/*`, '*/*']) {
    const found = ranges.find(({ type }) => type === candidate)
    if (found) return { quality: found.quality, isNamed: candidate === mediaType }
  }
  return { quality: 0, isNamed: false }
}

/**
 * The type that the caller likes best; among equals the first that is named, and where none is, the usual one. Undefined
 * where none of them is acceptable. A caller that says nothing takes the usual one.
 */
export function preferredType<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
  usual: Type,
): Type | undefined {
  if (accept === undefined || accept.trim() === '') return usual
  const ranges = rangesOf(accept)
  const judged = offered.map((type) => ({ type, ...judge(ranges, type) }))
  const best = Math.max(...judged.map(({ quality }) => quality))
  if (best === 0) return undefined
  const liked = judged.filter(({ quality }) => quality === best)
  const named = liked.find(({ isNamed }) => isNamed)
  if (named) return named.type
  return liked.some(({ type }) => type === usual) ? usual : liked[0]?.type
}
