import { expect, test } from 'vitest'
import { checkRoom, mergeWords } from './rules.ts'

test('what is added to a record again and again ends where one report would', () => {
  const more = (key: string) => ({ serviceName: null, metadata: { [key]: 'x'.repeat(49_000) } })
  const twice = mergeWords(more('a'), more('b'))
  if (!twice) throw new Error('these do not contradict each other')
  checkRoom(twice)
  const thrice = mergeWords(twice, more('c'))
  if (!thrice) throw new Error('these do not contradict each other')
  expect(() => checkRoom(thrice)).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: '/metadata', message: expect.stringContaining('100000 characters') }] },
    }),
  )
})
