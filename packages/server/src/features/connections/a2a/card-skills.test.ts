import { expect, test } from 'vitest'
import { cardSkillsOf } from './card-skills.ts'

test('skills of a card are few, short and plain', () => {
  const long = '😀'.repeat(10_000)
  const many = Array.from({ length: 30 }, (_, place) => ({ id: `skill-${place}`, name: 'One', tags: [] }))
  expect(cardSkillsOf({ skills: many })).toHaveLength(20)
  const [skill] = cardSkillsOf({
    skills: [
      { id: long, name: `a${long}`, description: `\u0000b\u202e\n${long}`, tags: Array(20).fill(long) },
    ],
  })
  expect([skill?.id.length, skill?.name.length, skill?.description.length]).toEqual([64, 80, 300])
  expect(skill?.tags.map(({ length }) => length)).toEqual(Array(8).fill(32))
  expect(skill?.description).toMatch(/^b \P{C}+$/u)
  expect(JSON.stringify(skill)).not.toMatch(/\\u/)
})

test('what is no skill is left out, and so is a second one with an id', () => {
  const skill = { id: 'match', name: 'Match', description: 'Transfers.', tags: ['books'] }
  const others = [null, 'match', [], { id: 'x' }, { id: ' ', name: 'x' }, { id: 1, name: 'x' }]
  expect(cardSkillsOf({ skills: [...others, skill, { ...skill, name: 'Another' }] })).toEqual([skill])
  expect(cardSkillsOf({ skills: [{ id: 'bare', name: 'Bare', description: 1, tags: [1, ' '] }] })).toEqual([
    { id: 'bare', name: 'Bare', description: '', tags: [] },
  ])
  expect([cardSkillsOf({}), cardSkillsOf({ skills: { length: 1 } })]).toEqual([[], []])
})
