import { AppError } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../platform/db/sql.ts'
import { holdRoom } from '../../platform/http/limits/room.ts'
import { PATIENCE_MS } from '../../testing/patience.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { introduceSigner, takeNonces } from '../sending/signer-store.ts'
import { createIntents, type RunningIntents } from './create-intents.ts'
import { claimIntents, postponeIntents } from './intent-store.ts'
import type { NewIntent } from './intents.ts'
import { createKinds } from './kinds.ts'

let database: TestDatabase
let intents: RunningIntents
let ids = 0

beforeAll(async () => {
  database = await createTestDatabase()
  intents = createIntents({
    db: database.db,
    kinds: createKinds(),
    newId: () => {
      ids += 1
      return `id-${ids}`
    },
  })
  intents.register<{ amount: string }>({
    kind: 'test.pay',
    sender: 'operator',
    payload: Type.Object({
      amount: Type.String({ pattern: '^[0-9]+$' }),
      note: Type.Optional(Type.String()),
    }),
    amountMicro: ({ amount }) => BigInt(amount),
    prepare: async () => ({ to: '0x', data: '0x', value: 0n }),
  })
  await intents.start()
})
afterAll(async () => {
  await intents.stop()
  await database.close()
})

const order = (key: string, changes: Partial<NewIntent> = {}): NewIntent => ({
  kind: 'test.pay',
  key,
  payload: { amount: '5' },
  requestId: 'request-1',
  ...changes,
})

const create = (intent: NewIntent) => database.db.transaction((tx) => intents.create(tx, intent))

const end = (id: string) =>
  database.db.run(sql`update intents set status = 'SETTLED', tx_hash = '0x1' where id = ${id}`)

describe('create', () => {
  test('the same key again, also at the same moment, is the same intent', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create(order('same'))))
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(made[0]).toMatchObject({ status: 'PENDING', key: 'same', requestId: 'request-1', final: false })
    expect(await intents.find(database.db, 'same')).toEqual(made[0])
  })

  test('the order of fields does not matter, their values do', async () => {
    const first = await create(order('fields', { payload: { amount: '1', note: 'n' } }))
    expect(await create(order('fields', { payload: { note: 'n', amount: '1' } }))).toMatchObject({
      id: first.id,
    })
    await expect(create(order('fields', { payload: { amount: '2', note: 'n' } }))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
  })

  test('a payload that does not fit, and a kind that is not there, are programming errors', async () => {
    await expect(create(order('bad', { payload: { amount: 'much' } }))).rejects.toThrow(TypeError)
    await expect(create(order('bad', { kind: 'none' }))).rejects.toThrow('There is no intent kind none')
    expect(await intents.find(database.db, 'bad')).toBeUndefined()
  })

  test('an intent exists exactly when its transaction commits', async () => {
    const failing = database.db.transaction(async (tx) => {
      await intents.create(tx, order('rolled back'))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await intents.find(database.db, 'rolled back')).toBeUndefined()
  })

  test('a large amount asks for the deepest finality', async () => {
    await create(order('large', { payload: { amount: '5000000001' } }))
    await create(order('small', { payload: { amount: '5000000000' } }))
    const rows = await database.db.rows(
      sql`select key, finality from intents where key in ('large', 'small') order by key`,
    )
    expect(rows).toEqual([
      { key: 'large', finality: 'finalized' },
      { key: 'small', finality: 'safe' },
    ])
  })
})

describe('waitFor', () => {
  test('is woken by an outcome that somebody else writes', async () => {
    const { id } = await create(order('waited'))
    const waiting = intents.waitFor(id, PATIENCE_MS)
    await end(id)
    expect(await waiting).toMatchObject({ status: 'SETTLED' })
  })

  test('takes no room of the service meanwhile', async () => {
    const { id } = await create(order('room'))
    const left = Promise.withResolvers<void>()
    holdRoom(left.resolve)
    const waiting = intents.waitFor(id, PATIENCE_MS)
    await left.promise
    await end(id)
    expect(await waiting).toMatchObject({ status: 'SETTLED' })
  })

  test('returns at once when it is over, and at the limit with what is known', async () => {
    const { id } = await create(order('limit'))
    expect(await intents.waitFor(id, 5)).toMatchObject({ status: 'PENDING' })
    await end(id)
    expect(await intents.waitFor(id, PATIENCE_MS)).toMatchObject({ status: 'SETTLED' })
  })

  test('does not know what is not there', async () => {
    await expect(intents.waitFor('none', 5)).rejects.toThrow(AppError)
  })
})

describe('claims', () => {
  const claim = () =>
    claimIntents(database.db, { chainId: 1, sender: 'operator', limit: 100, leaseSeconds: 30 })
  const keysOf = ({ intents: claimed }: Awaited<ReturnType<typeof claim>>) => claimed.map(({ key }) => key)

  test('last for their time, are fenced by their token, and go one by one within a lane', async () => {
    await database.db.run(sql`update intents set status = 'REJECTED'`)
    for (const key of ['free', 'lane-1', 'lane-2']) {
      await create(order(key, key === 'free' ? {} : { lane: 'l' }))
    }
    const first = await claim()
    expect(keysOf(first)).toEqual(['free', 'lane-1'])
    expect(keysOf(await claim())).toEqual([])

    await database.db.run(sql`update intents set claimed_until = now() - interval '1 second'`)
    const second = await claim()
    const allIds = second.intents.map(({ id }) => id)
    const signer = { chainId: 1, address: '0x01' as const }
    await introduceSigner(database.db, signer, 7)
    const take = (token: bigint) =>
      database.db.transaction((tx) => takeNonces(tx, signer, { ids: allIds, token }))
    expect(await take(first.token)).toEqual({ nextNonce: 7, mine: new Set() })
    expect(await take(second.token)).toEqual({ nextNonce: 7, mine: new Set(allIds) })
    expect(keysOf(await claim())).toEqual([])
    await database.db.run(sql`update intents set status = 'SETTLED' where key = 'lane-1'`)
    const third = await claim()
    expect(keysOf(third)).toEqual(['lane-2'])

    await postponeIntents(database.db, { ids: third.intents.map(({ id }) => id), token: third.token })
    expect(keysOf(await claim())).toEqual([])
  })

  test('of many workers at once never overlap', async () => {
    for (let number = 0; number < 40; number += 1) await create(order(`many-${number}`))
    const claimed = await Promise.all(
      Array.from({ length: 8 }, () =>
        claimIntents(database.db, { chainId: 1, sender: 'operator', limit: 7, leaseSeconds: 30 }),
      ),
    )
    const all = claimed.flatMap(keysOf)
    expect(new Set(all).size).toBe(all.length)
    const tokens = claimed.filter(({ intents: taken }) => taken.length > 0).map(({ token }) => token)
    expect(new Set(tokens).size).toBe(tokens.length)
    expect(tokens.length).toBeGreaterThan(1)
  })
})
