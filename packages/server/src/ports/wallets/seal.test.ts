import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createSealer } from './seal.ts'

const owner = { agentId: 'c000000000000000000000001', address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F' }
const current = { id: 'k2', key: randomBytes(32) }
const old = { id: 'k1', key: randomBytes(32) }
const secret = randomBytes(32)

test('opens what it sealed, and seals the same secret differently each time', () => {
  const sealer = createSealer({ current })
  const sealed = sealer.seal(secret, owner)
  expect(sealed).toMatch(/^k2\.[A-Za-z0-9_-]+$/)
  expect(sealer.open(sealed, owner)).toEqual(secret)
  expect(sealer.open(sealed, { ...owner, address: owner.address.toLowerCase() })).toEqual(secret)
  expect(sealer.seal(secret, owner)).not.toBe(sealed)
})

test('opens older seals by the id before them, and seals under the current key', () => {
  const sealed = createSealer({ current: old }).seal(secret, owner)
  const both = createSealer({ current, previous: [old] })
  expect(both.open(sealed, owner)).toEqual(secret)
  expect(both.seal(secret, owner)).toMatch(/^k2\./)
  expect(() => createSealer({ current }).open(sealed, owner)).toThrow('cannot be opened')
})

test('a seal of another agent, of another address or under another key does not open', () => {
  const sealer = createSealer({ current })
  const sealed = sealer.seal(secret, owner)
  const imposter = createSealer({ current: { id: 'k2', key: randomBytes(32) } })
  expect(() => sealer.open(sealed, { ...owner, agentId: 'c2' })).toThrow('cannot be opened')
  expect(() => sealer.open(sealed, { ...owner, address: `0x${'11'.repeat(20)}` })).toThrow('cannot be opened')
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
  for (const sealed of ['', '.', 'k2', 'k2.', body]) expect(() => sealer.open(sealed, owner)).toThrow()
})

test('refuses keys of another size, odd ids and the same id twice', () => {
  expect(() => createSealer({ current: { id: 'k', key: randomBytes(16) } })).toThrow('32 bytes')
  expect(() => createSealer({ current: { id: 'a.b', key: randomBytes(32) } })).toThrow('plain characters')
  expect(() => createSealer({ current, previous: [{ ...old, id: 'k2' }] })).toThrow('same id')
})

test('prints no key', () => {
  const shown = inspect(createSealer({ current, previous: [old] }), { depth: 20, showHidden: true })
  for (const { key } of [current, old]) expect(shown).not.toContain(key.toString('hex'))
})
