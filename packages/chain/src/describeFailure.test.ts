import { encodeErrorResult, type Hex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { describeFailure } from './describeFailure.ts'

const abi = parseAbi(['error Error(string)'])

/** A rejected call as nodes report it. */
const reverted = (data: Hex): Error => Object.assign(new Error('execution reverted'), { code: 3, data })
const saying = (words: string): Error =>
  reverted(encodeErrorResult({ abi, errorName: 'Error', args: [words] }))

test('a contract’s own message is passed on unchanged', () => {
  expect(describeFailure(saying('ERC20: transfer amount exceeds balance'))).toEqual({
    status: 'refused',
    reason: 'ERC20: transfer amount exceeds balance',
    args: [],
  })
})

test.each([
  ['a NUL', 'a\0b', 'a b'],
  ['lines and terminal codes', 'no\r\n{"level":50}\u001b[2J', 'no {"level":50} [2J'],
  ['nothing that can be read', '\0\0', 'REVERTED'],
])('words that are made to do harm become harmless: %s', (_what, words, reason) => {
  expect(describeFailure(saying(words))).toMatchObject({ status: 'refused', reason })
})

test('words and bytes without end are cut', () => {
  for (const error of [saying('x'.repeat(100_000)), reverted(`0xdeadbeef${'00'.repeat(50_000)}`)]) {
    expect(describeFailure(error)).toMatchObject({
      status: 'refused',
      reason: expect.stringMatching(/^.{300}$/),
    })
  }
})

test('nobody responded: that says nothing about the call', () => {
  const error = new Error('fetch failed')
  expect(describeFailure(error)).toEqual({ status: 'unanswered', cause: error })
})
