/**
 * Patterns here are RE2's and run in time that is known before; validators elsewhere take ECMAScript's and may backtrack
 * without end. These mean the same to both, and are quick in either: no groups, no choices, single letters and classes,
 * repeated freely twice at most.
 */
const letter = `[A-Za-z0-9 _@:,;#%&=<>/!~"'-]`
const escaped = String.raw`\\[dw./+*?()[\]{}|^$]`
const set = String.raw`\[\^?(?:[A-Za-z0-9 _@:,;.+*#%&=/!~-]|\\[dw.\-])+\]`
const repeat = String.raw`[*+?]|\{[0-9]{1,3}(?:,[0-9]{0,3})?\}`
const plain = new RegExp(String.raw`^\^(?:(?:${letter}|${escaped}|${set})(?:${repeat})?)*\$?$`)
const freelyRepeated = /(?<!\\)(?:[*+?]|\{[0-9]+,[0-9]*\})/g
const insideSets = /\[(?:[^\]\\]|\\.)*\]/g

const MAX_FREELY_REPEATED = 2

export function isPortablePattern(pattern: string): boolean {
  if (!plain.test(pattern)) return false
  const outsideSets = pattern.replaceAll(insideSets, 'x')
  if ((outsideSets.match(freelyRepeated)?.length ?? 0) > MAX_FREELY_REPEATED) return false
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}
