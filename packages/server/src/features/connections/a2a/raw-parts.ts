/**
 * The A2A library silently decodes invalid base64 to other bytes, or to none. Returns what is wrong with
 * the first such file in a response.
 */
export function faultOfRawParts(response: string): string | undefined {
  if (!response.includes('"raw"')) return undefined
  const open: unknown[] = [parsed(response)]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const { raw, filename } = value as Record<string, unknown>
    if (typeof raw === 'string' && !isBase64(raw)) {
      const name = typeof filename === 'string' && filename !== '' ? filename : 'without a name'
      return `The file ${name.slice(0, MAX_NAME_CHARACTERS)} in the agent’s response is not base64.`
    }
    for (const [key, inner] of Object.entries(value)) if (!agentsOwn.has(key)) open.push(inner)
  }
  return undefined
}

const MAX_NAME_CHARACTERS = 100

/** A2A defines no shape for the contents of these. */
const agentsOwn: ReadonlySet<string> = new Set(['data', 'metadata'])

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Both alphabets; line breaks and the padding are optional. */
function isBase64(text: string): boolean {
  const compact = text.replace(/\s/g, '')
  const padding = compact.indexOf('=')
  const letters = padding === -1 ? compact : compact.slice(0, padding)
  const end = compact.slice(letters.length)
  return letters.length % 4 !== 1 && ['', '=', '=='].includes(end) && !/[^A-Za-z0-9+/_-]/.test(letters)
}
