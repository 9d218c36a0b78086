import { describe, expect, test } from 'vitest'
import { holdRoom } from '../../platform/http/limits/room.ts'
import { createWatchers } from '../notifications/watchers.ts'
import { createWaiting, type Wait } from './waiting.ts'

function start(maxWaiting?: number, maxPerJob?: number, maxPerOwner?: number) {
  const watchers = createWatchers()
  const stop = new AbortController()
  const waiting = createWaiting({
    watch: watchers.watch,
    endOfWaits: stop.signal,
    ...(maxWaiting && { maxWaiting }),
    ...(maxPerJob && { maxPerJob }),
    ...(maxPerOwner && { maxPerOwner }),
  })
  let value = 'begun'
  const set = (next: string) => {
    value = next
    watchers.wake('ann')
  }
  const gone = new AbortController()
  const until = (changes: Partial<Wait<string>> = {}) =>
    waiting.until({
      jobId: 'cjob',
      ownerId: 'ann',
      seconds: 120,
      gone: gone.signal,
      read: async () => value,
      isOver: (read) => read === 'done',
      ...changes,
    })
  return { watchers, waiting, set, gone, stop, until }
}

describe('a call that waits', () => {
  test('returns when what it waits for is there, and looks only when there is news', async () => {
    const { waiting, set, until } = start()
    const reads: string[] = []
    const call = until({
      read: async () => {
        const read = ['begun', 'at work', 'done'][reads.length] ?? ''
        reads.push(read)
        if (read !== 'done') setImmediate(() => set(read))
        return read
      },
    })
    expect(waiting.size()).toBe(1)
    expect(await call).toBe('done')
    expect(reads).toEqual(['begun', 'at work', 'done'])
    expect(waiting.size()).toBe(0)
  })

  test('takes no room of the service meanwhile, and returns what is there within its room', async () => {
    const { set, until } = start()
    const left = Promise.withResolvers<string>()
    holdRoom(() => left.resolve('left'))
    expect(await until({ isOver: () => true })).toBe('begun')
    expect(await Promise.race([left.promise, 'inside'])).toBe('inside')
    const call = until()
    expect(await left.promise).toBe('left')
    set('done')
    expect(await call).toBe('done')
  })

  test('sees what comes while it looks', async () => {
    const { set, until } = start()
    let looks = 0
    const read = async () => {
      looks += 1
      if (looks > 1) return 'done'
      set('done')
      return 'begun'
    }
    expect(await until({ read })).toBe('done')
  })

  test('ends with its caller, and with the service', async () => {
    const { waiting, gone, until } = start()
    const call = until()
    gone.abort()
    expect(await call).toBe('begun')
    expect(await until()).toBe('begun')

    const other = start()
    const calls = [other.until(), other.until()]
    other.stop.abort()
    expect(await Promise.all(calls)).toEqual(['begun', 'begun'])
    expect(await other.until()).toBe('begun')
    expect([waiting.size(), other.waiting.size()]).toEqual([0, 0])
  })

  test('looks together with the others who wait for the same job, up to so many', async () => {
    const { waiting, set, until } = start(100, 3)
    let [looks, value] = [0, 'begun']
    const read = async () => {
      looks += 1
      return value
    }
    const calls = [until({ read }), until({ read }), until({ read })]
    expect(await until({ read })).toBe('begun')
    expect(looks).toBe(2)
    const other = until({ jobId: 'cother', read })
    expect(waiting.size()).toBe(4)
    value = 'done'
    set('done')
    expect(await Promise.all([...calls, other])).toEqual(['done', 'done', 'done', 'done'])
    expect(waiting.size()).toBe(0)
  })

  test('looks when there is news of its own job, however many of its owner wait', async () => {
    const { waiting, watchers, until } = start()
    const reads = new Map<string, number>()
    const done = new Set<string>()
    const jobIds = Array.from({ length: 50 }, (_, at) => `cjob${at}`)
    const calls = jobIds.map((jobId) =>
      until({
        jobId,
        read: async () => {
          reads.set(jobId, (reads.get(jobId) ?? 0) + 1)
          return done.has(jobId) ? 'done' : 'begun'
        },
      }),
    )
    await expect.poll(() => reads.size).toBe(50)
    for (const [at, jobId] of jobIds.entries()) {
      done.add(jobId)
      watchers.wake('ann', [`/jobs/${jobId}`, `/agents/0x${at}`])
      expect(await calls[at]).toBe('done')
    }
    // Once when it began to wait, and once when it was done.
    expect([...reads.values()]).toEqual(jobIds.map(() => 2))
    expect(waiting.size()).toBe(0)
  })

  test('does not wait where too many do, or no time is given', async () => {
    const { waiting, set, until } = start(1)
    const first = until()
    expect(await until()).toBe('begun')
    expect(await until({ seconds: 0 })).toBe('begun')
    set('done')
    expect(await first).toBe('done')
    expect(waiting.size()).toBe(0)
  })

  test('leaves room to others than the owner of many jobs', async () => {
    const { waiting, set, until } = start(100, 20, 2)
    const calls = [until({ jobId: 'c1' }), until({ jobId: 'c2' })]
    expect(await until({ jobId: 'c3' })).toBe('begun')
    const other = until({ jobId: 'c4', ownerId: 'ben', isOver: () => true })
    expect(waiting.size()).toBe(3)
    set('done')
    expect(await Promise.all([...calls, other])).toEqual(['done', 'done', 'done'])
    expect(await until({ jobId: 'c3' })).toBe('done')
  })
})
