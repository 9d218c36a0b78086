import { expect, test } from 'vitest'
import { distinctNames } from './file-names.ts'

test('each file gets a name of its own', () => {
  expect(distinctNames(['a.csv', 'a.csv', 'A.csv', 'a (2).csv', 'file', 'b', 'b', '.env', '.env'])).toEqual([
    'a.csv',
    'a (2).csv',
    'A (3).csv',
    'a (2) (2).csv',
    'file',
    'b',
    'b (2)',
    '.env',
    '.env (2)',
  ])
  const [, second] = distinctNames(['x'.repeat(300), 'x'.repeat(300)])
  expect(second).toBe(`${'x'.repeat(100)} (2)`)
})
