import { excerptOf } from '../../../platform/outbound/guarded-call.ts'

const MAX_SKILLS = 20
const MAX_TAGS = 8
const MAX_ID_CHARACTERS = 64
const MAX_NAME_CHARACTERS = 80
const MAX_DESCRIPTION_CHARACTERS = 300
const MAX_TAG_CHARACTERS = 32

/** What an agent can do, as its own card says. */
export interface CardSkill {
  id: string
  name: string
  description: string
  tags: string[]
}

/** A few short, plain texts of what a stranger's card has for skills. What is no skill is left out, and so is a second one with an id. */
export function cardSkillsOf({ skills }: { skills?: unknown }): CardSkill[] {
  const found = new Map<string, CardSkill>()
  for (const given of listOf(skills).slice(0, MAX_SKILLS)) {
    const { id: givenId, name: givenName, description, tags } = Object(given)
    const [id, name] = [plain(givenId, MAX_ID_CHARACTERS), plain(givenName, MAX_NAME_CHARACTERS)]
    if (id === '' || name === '' || found.has(id)) continue
    found.set(id, {
      id,
      name,
      description: plain(description, MAX_DESCRIPTION_CHARACTERS),
      tags: listOf(tags)
        .slice(0, MAX_TAGS)
        .map((tag) => plain(tag, MAX_TAG_CHARACTERS))
        .filter((tag) => tag !== ''),
    })
  }
  return [...found.values()]
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const plain = (value: unknown, maxCharacters: number): string =>
  typeof value === 'string' ? excerptOf(value, maxCharacters).toWellFormed() : ''
