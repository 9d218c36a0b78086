import { expect, test } from 'vitest'
import { crashAt, faultPoints } from './faults.ts'

test('a crash comes at its step and at no other', () => {
  let crashes = 0
  const faults = crashAt('transaction.stored', () => {
    crashes += 1
  })
  for (const point of faultPoints) faults.reach(point)
  expect(crashes).toBe(1)
})

test('no name, no crash; a wrong name is a mistake', () => {
  const crash = () => {
    throw new Error('crashed')
  }
  for (const point of faultPoints) crashAt(undefined, crash).reach(point)
  expect(() => crashAt('nowhere', crash)).toThrow('There is no fault point nowhere')
})
