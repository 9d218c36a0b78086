/** Longer ones are shortened, so that the number still fits. */
const MAX_STEM_LENGTH = 100
const MAX_EXTENSION_LENGTH = 16

/** File names must be unique: a new file in a job replaces an unsent one of the same name. */
export function distinctNames(given: readonly string[]): string[] {
  const taken = new Set<string>()
  return given.map((name) => {
    let candidate = name
    for (let copy = 2; taken.has(candidate.toLowerCase()); copy += 1) candidate = numbered(name, copy)
    taken.add(candidate.toLowerCase())
    return candidate
  })
}

function numbered(name: string, copy: number): string {
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && name.length - dot <= MAX_EXTENSION_LENGTH
  const [stem, extension] = hasExtension ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  return `${stem.slice(0, MAX_STEM_LENGTH).toWellFormed()} (${copy})${extension}`
}
