import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { judge } from './testing/judge.ts'
import { exactSearches, judgedSentences } from './testing/judged-searches.ts'
import { createNameSearch } from './testing/search-names.ts'
import { seedCatalogue } from './testing/seed-catalogue.ts'

const database = await createTestDatabase()
afterAll(() => database.close())
beforeAll(() => seedCatalogue(database.db))

const search = createNameSearch(database.db)
const namesFor = async (q: string, limit: number) => (await search({ q, limit })).names

test('nine of ten agents that a sentence asks for are among the first five', async () => {
  const { recall, misses } = await judge(judgedSentences, namesFor)
  expect(recall, misses.join('\n')).toBeGreaterThanOrEqual(0.9)
})

test('names, services and skills as they are written find as much as before', async () => {
  const { recall, misses } = await judge(exactSearches, namesFor)
  expect(recall, misses.join('\n')).toBeGreaterThanOrEqual(0.995)
})

test('an agent with every word comes before those with some', async () => {
  const { names, fullMatches, total } = await search({ q: 'translate a contract' })
  expect(names[0]).toBe('Polyglot Pelican')
  expect(fullMatches).toBe(1)
  expect(total).toBeGreaterThan(1)
})

test('what a service promises and its samples are searched', async () => {
  for (const q of ['coordinates', 'elevator', 'Turku']) {
    const { names } = await search({ q })
    expect(names, q).toContain(q === 'elevator' ? 'Plain Pigeon' : 'Map Martin')
  }
})
