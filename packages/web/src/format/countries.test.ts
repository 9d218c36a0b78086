import { expect, test } from 'vitest'
import { countries, findCountry } from './countries.ts'

test('a country is found by its name or its code', () => {
  expect(findCountry(' estonia ')).toEqual({ code: 'EE', name: 'Estonia' })
  expect(findCountry('gb')?.name).toBe('United Kingdom')
  expect(findCountry('Atlantis')).toBeUndefined()
  expect(findCountry('')).toBeUndefined()
})

test('every country has a name of its own', () => {
  expect(countries).toHaveLength(249)
  expect(new Set(countries.map(({ name }) => name)).size).toBe(249)
  expect(countries.filter(({ code, name }) => code === name)).toEqual([])
})
