import { afterAll, expect, test } from 'vitest'
import { sql } from '../../../platform/db/sql.ts'
import { plainAgent, type SeededAgent, seedAgents, seedId } from '../testing/seed-agents.ts'
import { startAgents } from '../testing/start-agents.ts'

const api = await startAgents()
afterAll(() => api.close())

const agent = (index: number, fields: Partial<SeededAgent>): SeededAgent => ({
  ...plainAgent,
  id: seedId(index),
  ...fields,
})

/** A parameter that nobody knows keeps the response out of the kept pages: these tests change agents behind the service. */
async function find(q: string) {
  const response = await api.send('GET', `/api/agents/search?q=${encodeURIComponent(q)}&kept=no`)
  expect(response.statusCode).toBe(200)
  const { agents, total, fullMatches } = response.json().data
  return { names: agents.map(({ name }: { name: string }) => name), total, fullMatches }
}

test('words are found in the forms of the profile’s own language', async () => {
  const texts = { name: 'Wortlaut', description: 'Übersetzungen von Verträgen und Webseiten.' }
  await seedAgents(api.db, [agent(1, texts)])
  expect(await find('Übersetzung Vertrag')).toMatchObject({ fullMatches: 0 })

  await seedAgents(api.db, [
    agent(2, { ...texts, name: 'Sinngemäß', language: 'de' }),
    agent(3, { name: 'Door Smith', description: 'Repairs doors.' }),
    agent(4, { name: 'Gate Smith', description: 'Repairs gates.' }),
    agent(5, { name: 'Deurwerk', description: 'Reparatie van deuren.', language: 'nl' }),
  ])
  expect(await find('Übersetzung Vertrag')).toMatchObject({ names: ['Sinngemäß'], fullMatches: 1 })
  // A word that German leaves out does not keep a German profile from being a full match.
  expect(await find('die Übersetzung meiner Webseite')).toMatchObject({ fullMatches: 1 })
  expect((await find('reparaties van deur')).names).toEqual(['Deurwerk'])
})

test('a word that another language leaves out still counts in English', async () => {
  // "door" is Dutch for "through", and no word to search by there.
  expect(await find('repair door')).toEqual({
    names: ['Door Smith', 'Gate Smith'],
    fullMatches: 1,
    total: 2,
  })
})

test('a word that another language leaves out finds none of its profiles', async () => {
  expect((await find('door')).names).toEqual(['Door Smith'])
})

test('a single word is counted in all languages', async () => {
  expect(await find('Vertrag')).toMatchObject({ names: ['Sinngemäß'], total: 1, fullMatches: 1 })
  expect(await find('doors')).toMatchObject({ total: 1, fullMatches: 1 })
})

test('some words lead to profiles of any language, the closest first', async () => {
  const { names } = await find('ich brauche eine Übersetzung und suche Türen')
  expect(names[0]).toBe('Sinngemäß')
})

test('nobody can write the mark of a language into a query', async () => {
  for (const mark of [' de', "' de'"]) expect(await find(mark)).toMatchObject({ fullMatches: 0 })
  const { count } = await api.db.one<{ count: bigint }>(
    sql`select count(*) from agent_term_counts where term in ('de', ' de', 'nl', ' nl')`,
  )
  expect(count).toBe(0n)
})
