import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { drawKey, drawKeys } from './draw-keys.ts'
import { createSealer } from './sealer.ts'

const owner = 'c000000000000000000000001'
const current = { id: 'k2', key: randomBytes(32) }
const old = { id: 'k1', key: randomBytes(32) }
const secret = randomBytes(32)

test('opens what it sealed, and seals the same secret differently each time', () => {
  const sealer = createSealer({ current })
  const sealed = sealer.seal(secret, owner)
  expect(sealed).toMatch(/^k2\.[A-Za-z0-9_-]+$/)
  expect(sealer.open(sealed, owner)).toEqual(secret)
  expect(sealer.open(sealer.seal('text', owner), owner).toString()).toBe('text')
  expect(sealer.seal(secret, owner)).not.toBe(sealed)
})

test('opens older seals by the id before them, and seals under the current key', () => {
  const sealed = createSealer({ current: old }).seal(secret, owner)
  const both = createSealer({ current, previous: [old] })
  expect(both.open(sealed, owner)).toEqual(secret)
  expect(both.seal(secret, owner)).toMatch(/^k2\./)
  expect(() => createSealer({ current }).open(sealed, owner)).toThrow('cannot be opened')
})

test('a seal of another owner or under another key does not open', () => {
  const sealer = createSealer({ current })
  const sealed = sealer.seal(secret, owner)
  const imposter = createSealer({ current: { id: 'k2', key: randomBytes(32) } })
  expect(() => sealer.open(sealed, 'c2')).toThrow('cannot be opened')
  expect(() => imposter.open(sealed, owner)).toThrow('cannot be opened')
})

test('no changed or shortened seal opens', () => {
  const sealer = createSealer({ current })
  const [id, body = ''] = sealer.seal(secret, owner).split('.')
  const bytes = Buffer.from(body, 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
    expect(() => sealer.open(`${id}.${changed.toString('base64url')}`, owner)).toThrow('cannot be opened')
    const shortened = bytes.subarray(0, index).toString('base64url')
    expect(() => sealer.open(`${id}.${shortened}`, owner)).toThrow('cannot be opened')
  }
  for (const sealed of ['', '.', 'k2', 'k2.', body])
    expect(() => sealer.open(sealed, owner)).toThrow('cannot be opened')
})

test('refuses keys of another size and odd ids', () => {
  expect(() => createSealer({ current: { id: 'k', key: randomBytes(16) } })).toThrow('32 bytes')
  expect(() => createSealer({ current: { id: 'a.b', key: randomBytes(32) } })).toThrow('plain characters')
})

test('prints no key', () => {
  const shown = inspect(createSealer({ current, previous: [old] }), { depth: 20, showHidden: true })
  for (const { key } of [current, old]) expect(shown).not.toContain(key.toString('hex'))
})

test('tries every key of an id, and keys without an id for seals without one', () => {
  const twin = { id: 'k1', key: randomBytes(32) }
  const sealed = createSealer({ current: old }).seal(secret, owner)
  expect(createSealer({ current, previous: [twin, old] }).open(sealed, owner)).toEqual(secret)
  expect(() => createSealer({ current, previous: [twin] }).open(sealed, owner)).toThrow('cannot be opened')

  const bare = sealed.slice(sealed.indexOf('.') + 1)
  const nameless = createSealer({
    current,
    previous: [
      { ...twin, id: '' },
      { ...old, id: '' },
    ],
  })
  expect(nameless.open(bare, owner)).toEqual(secret)
  expect(() => createSealer({ current, previous: [old] }).open(bare, owner)).toThrow('cannot be opened')
})

test('draws a key and an id of its own for each purpose and each secret', () => {
  const drawn = [drawKey('cats', 'one'), drawKey('dogs', 'one'), drawKey('cats', 'two')]
  expect(new Set(drawn.map(({ id }) => id)).size).toBe(3)
  expect(new Set(drawn.map(({ key }) => Buffer.from(key).toString('hex'))).size).toBe(3)
  expect(drawKey('cats', 'one')).toEqual(drawn[0])

  const former = (text: string) => [{ id: 'former', key: Buffer.alloc(32, text) }]
  const rotated = drawKeys('cats', { current: 'two', previous: 'one' }, former)
  expect(rotated.current).toEqual(drawn[2])
  expect(rotated.previous?.map(({ id }) => id)).toEqual(['former', drawn[0]?.id, 'former'])
})
