import { AppError } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { forEachDue } from './each-due.ts'

const away = new AppError('UNAVAILABLE', {
  cause: Object.assign(new Error('no server'), { code: 'ECONNREFUSED' }),
})
const slow = new AppError('UNAVAILABLE', { cause: Object.assign(new Error('too slow'), { code: '57014' }) })

/** Notes what is worked on, and fails where there is a failure for it. */
function worker(failures: Record<string, unknown> = {}) {
  const worked: string[] = []
  const work = async (item: string) => {
    worked.push(item)
    if (item in failures) throw failures[item]
  }
  return { worked, work }
}

test.each([new Error('broken'), slow])(
  'one that fails with %s keeps no other waiting, and shows at the end',
  async (failure) => {
    const { worked, work } = worker({ a: failure })
    await expect(forEachDue(['a', 'b', 'c'], work)).rejects.toBe(failure)
    expect(worked).toEqual(['a', 'b', 'c'])
  },
)

test('several failures are one at the end', async () => {
  const { worked, work } = worker({ a: new Error('one'), c: new Error('two') })
  await expect(forEachDue(['a', 'b', 'c'], work)).rejects.toThrow('2 that are due could not be dealt with')
  expect(worked).toEqual(['a', 'b', 'c'])
})

test('a database that is away ends the turn', async () => {
  const { worked, work } = worker({ a: away })
  await expect(forEachDue(['a', 'b'], work)).rejects.toBe(away)
  expect(worked).toEqual(['a'])
})

test('so does a process that stops', async () => {
  const stopping = new AbortController()
  const worked: string[] = []
  const turn = forEachDue(
    ['a', 'b'],
    async (item) => {
      worked.push(item)
      stopping.abort()
    },
    stopping.signal,
  )
  await expect(turn).rejects.toMatchObject({ name: 'AbortError' })
  expect(worked).toEqual(['a'])
})
