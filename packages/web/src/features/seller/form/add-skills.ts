const MOST_SKILLS = 50
const MOST_LETTERS = 60

/** Adds what is new, each once whatever its letter case. */
export function addSkills(skills: readonly string[], text: string): string[] {
  const known = new Map(skills.map((skill) => [skill.toLowerCase(), skill]))
  for (const part of text.split(',')) {
    const skill = part.trim().slice(0, MOST_LETTERS)
    if (skill !== '' && !known.has(skill.toLowerCase())) known.set(skill.toLowerCase(), skill)
  }
  return [...known.values()].slice(0, MOST_SKILLS)
}
