import { expect, test } from 'vitest'
import { createTransactionStore } from './transaction-store.ts'

function createMemory() {
  const values = new Map<string, string>()
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
}

function open(storage: ReturnType<typeof createMemory>, address = '0xAb') {
  let count = 0
  return createTransactionStore({ storage, address, nowMs: () => 1_000, newId: () => `t${++count}` })
}

test('progress survives a reload, and each wallet has its own', () => {
  const storage = createMemory()
  const store = open(storage)
  const id = store.track({ kind: 'payment', label: 'Pay', jobId: 'cjob' })
  store.learn(id, { state: 'sent', txHash: '0x1' })
  expect(open(storage, '0xaB').list()).toMatchObject([{ id, state: 'sent', txHash: '0x1' }])
  expect(open(storage, '0xcd').list()).toEqual([])
})

test('listeners hear of changes and of nothing else', () => {
  const store = open(createMemory())
  let heard = 0
  const stop = store.subscribe(() => {
    heard += 1
  })
  const id = store.track({ kind: 'payment', label: 'Pay' })
  store.learn(id, { state: 'signed' })
  expect(heard).toBe(1)
  store.learn(id, { state: 'final' })
  expect(heard).toBe(2)
  stop()
  store.forget(id)
  expect(heard).toBe(2)
  expect(store.list()).toEqual([])
})

test('the oldest that ended are dropped, what is under way stays', () => {
  const store = open(createMemory())
  const openId = store.track({ kind: 'payment', label: 'slow' })
  for (let count = 0; count < 40; count += 1) {
    store.learn(store.track({ kind: 'payment', label: 'quick' }), { state: 'final' })
  }
  expect(store.list().length).toBeLessThanOrEqual(32)
  expect(store.list().some(({ id }) => id === openId)).toBe(true)
})
