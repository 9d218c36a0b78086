import { expect, test } from 'vitest'
import { type Choice, inOrder, matching } from './choices.ts'

const titled = (...titles: string[]) => titles.map((title) => ({ title }))

test('all words count, in any order and letter case, and nothing typed finds everything', () => {
  const items = titled('API keys', 'API reference', 'Webhooks')
  expect(matching(items, ' ')).toEqual(items)
  expect(matching(items, 'KEYS api')).toEqual(titled('API keys'))
  expect(matching(items, 'api nothing')).toEqual([])
})

test('a title that begins with what was typed stands first', () => {
  expect(matching(titled('Your jobs', 'Jobs'), 'job')).toEqual(titled('Jobs', 'Your jobs'))
})

test('what has to be requested stands behind what is there at once', () => {
  const choice = (group: Choice['group']): Choice => ({ id: group, group, title: group, run: () => {} })
  const found = inOrder([choice('Agents'), choice('Jobs'), choice('Actions'), choice('Pages')])
  expect(found.map(({ group }) => group)).toEqual(['Pages', 'Actions', 'Jobs', 'Agents'])
})
