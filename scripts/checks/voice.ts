/** A word or phrase that does not belong in this project's English, and what to write instead. */
interface Banned {
  pattern: RegExp
  instead: string
}

/** Only what is never right here. CONTRIBUTING.md, "Voice", has the reasons and examples. */
export const banned: readonly Banned[] = [
  { pattern: /\bwhoever\b/i, instead: 'name the role, or "anyone who", "no matter who"' },
  { pattern: /\btell(?:s|ing)?\b(?! \w+ apart)/i, instead: 'notify, report, show, return, distinguish' },
  { pattern: /\btold\b/i, instead: 'notified, reported, shown' },
  { pattern: /\banswer(?:s|ed|ing)\b/i, instead: 'returns, responds, replies, response' },
  { pattern: /\banswer (?:with|\d{3})\b/i, instead: 'return' },
  { pattern: /\bon (?:its|their) way\b/i, instead: 'pending, in transit' },
  { pattern: /\bless what\b/i, instead: 'minus' },
  { pattern: /\bif it stays\b/i, instead: 'if the error persists' },
  { pattern: /\bdo(?:es)? not know this\b/i, instead: 'does not support' },
  { pattern: /\bis(?: not| never)? asked for\b/i, instead: 'is requested' },
  { pattern: /\bfor ever\b/i, instead: 'forever, indefinitely, endlessly' },
  { pattern: /\bgoes? by this (?:address|name)\b/i, instead: 'is available at' },
]

const codeBlock = /^```.*?^```$/gms
const codeSpan = /`[^`\n]+`/g
const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g
const inserted = /\$\{[^}]*\}/g

/** The prose of a file: a page without its code, or the comments and the sentences in strings of a program. */
function proseOf(path: string, text: string): string[] {
  if (path.endsWith('.md')) return [text.replace(codeBlock, '').replace(codeSpan, '')]
  if (path.endsWith('.tsx')) return [text]
  const parts = (text.match(token) ?? []).map((part) => part.replace(inserted, ''))
  return parts.filter((part) => part.startsWith('/') || part.includes(' '))
}

/** Every banned phrase of the file, each with what to write instead. */
export function findBanned(path: string, text: string): string[] {
  return proseOf(path, text).flatMap((prose) =>
    banned.flatMap(({ pattern, instead }) => {
      const found = pattern.exec(prose)?.[0]
      return found === undefined ? [] : [`${path}: "${found}" (write: ${instead})`]
    }),
  )
}
