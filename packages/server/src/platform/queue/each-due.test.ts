import { AppError } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { forEachDue } from './each-due.ts'

const away = new AppError('UNAVAILABLE', {
  cause: Object.assign(new Error('no server'), { code: 'ECONNREFUSED' }),
})
const slow = new AppError('UNAVAILABLE', { cause: Object.assign(new Error('too slow'), { code: '57014' }) })
const deadlock = new AppError('UNAVAILABLE', {
  cause: Object.assign(new Error('deadlock'), { code: '40P01' }),
})

const named = (...ids: string[]) => ids.map((id) => ({ id }))

/** Notes what is worked on, and fails where there is a failure for it. */
function worker(failures: Record<string, unknown> = {}) {
  const worked: string[] = []
  const work = async ({ id }: { id: string }) => {
    worked.push(id)
    if (id in failures) throw failures[id]
  }
  return { worked, work }
}

test.each([new Error('broken'), slow, deadlock])(
  'an item that fails with %s holds up no other, and is reported at the end',
  async (failure) => {
    const { worked, work } = worker({ a: failure })
    await expect(forEachDue(named('a', 'b', 'c'), work)).rejects.toMatchObject({
      message: 'a could not be dealt with',
      cause: failure,
    })
    expect(worked).toEqual(['a', 'b', 'c'])
  },
)

test('several failures are one at the end', async () => {
  const { worked, work } = worker({ a: new Error('one'), c: new Error('two') })
  await expect(forEachDue(named('a', 'b', 'c'), work)).rejects.toMatchObject({
    message: '2 that are due could not be dealt with',
    errors: [
      { message: 'a could not be dealt with', cause: { message: 'one' } },
      { message: 'c could not be dealt with', cause: { message: 'two' } },
    ],
  })
  expect(worked).toEqual(['a', 'b', 'c'])
})

test('of very many failures the first are shown, and their number', async () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => `job${index}`)
  const { worked, work } = worker(Object.fromEntries(ids.map((id) => [id, new Error('broken')])))
  const failure: unknown = await forEachDue(named(...ids), work).catch((error: unknown) => error)
  expect(failure).toMatchObject({ message: '1000 that are due could not be dealt with' })
  expect(failure instanceof AggregateError && failure.errors.length).toBe(10)
  expect(worked).toEqual(ids)
})

test('an unavailable database ends the turn', async () => {
  const { worked, work } = worker({ a: away, b: away, c: away })
  await expect(forEachDue(named('a', 'b', 'c', 'd'), work)).rejects.toMatchObject({
    errors: [{ cause: away }, { cause: away }, away],
  })
  expect(worked).toEqual(['a', 'b', 'c'])
})

test('so does a process that stops', async () => {
  const stopping = new AbortController()
  const worked: string[] = []
  const turn = forEachDue(
    named('a', 'b'),
    async ({ id }) => {
      worked.push(id)
      stopping.abort()
    },
    { signal: stopping.signal },
  )
  await expect(turn).rejects.toMatchObject({ name: 'AbortError' })
  expect(worked).toEqual(['a'])
})

test('what failed before the turn ended is not hidden', async () => {
  const items = async function* () {
    yield* named('a', 'b')
    throw new Error('no more can be listed')
  }
  const { work } = worker({ a: new Error('broken') })
  await expect(forEachDue(items(), work)).rejects.toMatchObject({
    errors: [{ message: 'a could not be dealt with' }, { message: 'no more can be listed' }],
  })
})

test('a part that ends because the whole turn was stopped is no failure', async () => {
  const stopping = new AbortController()
  const { signal } = stopping
  const part = () => forEachDue(named('a', 'b'), async () => stopping.abort(), { signal })
  const failure: unknown = await forEachDue(named('part', 'other'), part, { signal }).catch(
    (error: unknown) => error,
  )
  expect(failure).toBe(signal.reason)
})
