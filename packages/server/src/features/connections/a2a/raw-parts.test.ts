import { expect, test } from 'vitest'
import { faultOfRawParts } from './raw-parts.ts'

const taskWith = (...parts: object[]) =>
  JSON.stringify({ result: { task: { id: 't', artifacts: [{ name: 'a', parts }] } } })
const fault = (name: string) => `The file ${name} in the agent’s response is not base64.`

test.each([
  ['', undefined],
  ['YQ==', undefined],
  ['YQ', undefined],
  ['YWI=', undefined],
  ['-_-_', undefined],
  ['YWJj\r\nYWJj\n', undefined],
  ['!!!!', fault('a.bin')],
  ['YWJjY', fault('a.bin')],
  ['YQ==YQ==', fault('a.bin')],
  ['YQ===', fault('a.bin')],
])('%s', (raw, expected) => {
  expect(faultOfRawParts(taskWith({ text: 'Here.' }, { raw, filename: 'a.bin' }))).toBe(expected)
})

test('the agent’s own data may have any shape, and what is no JSON has no parts', () => {
  expect(faultOfRawParts(taskWith({ data: { raw: '!!' } }, { text: '"raw"', metadata: { raw: '!' } }))).toBe(
    undefined,
  )
  expect(faultOfRawParts('"raw" {')).toBe(undefined)
  expect(faultOfRawParts(taskWith({ raw: '!' }))).toBe(fault('without a name'))
  expect(faultOfRawParts(`${'['.repeat(100_000)}"raw"${']'.repeat(100_000)}`)).toBe(undefined)
})
