import { expect, test } from 'vitest'
import { markOf } from './mark-of.ts'

const address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

test('one address has one face, in any letter case', () => {
  expect(markOf(address)).toEqual(markOf(address))
  expect(markOf(address.toLowerCase())).toEqual(markOf(address))
})

test('it is its own mirror image', () => {
  const { cells } = markOf(address)
  expect(cells).toHaveLength(25)
  for (let row = 0; row < 5; row += 1) {
    const line = cells.slice(row * 5, row * 5 + 5)
    expect(line).toEqual(line.toReversed())
  }
})

test('neighbouring addresses differ', () => {
  const faces = Array.from({ length: 200 }, (_, index) =>
    JSON.stringify(markOf(`0x${(index + 1).toString(16).padStart(40, '0')}`)),
  )
  expect(new Set(faces).size).toBeGreaterThan(190)
})
