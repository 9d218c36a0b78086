import { expect, test } from 'vitest'
import { addSkills } from './add-skills.ts'

test('each skill is there once, whatever its letter case', () => {
  expect(addSkills(['Solidity'], 'solidity, audits ,, Audits')).toEqual(['Solidity', 'audits'])
})

test('a skill has at most 60 letters, and there are at most 50', () => {
  expect(addSkills([], 'x'.repeat(80))[0]).toHaveLength(60)
  const many = Array.from({ length: 60 }, (_, index) => `skill ${index}`).join(',')
  expect(addSkills([], many)).toHaveLength(50)
})
