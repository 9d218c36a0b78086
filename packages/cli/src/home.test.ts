import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHome } from './home.ts'
import { beginPurchase, findPurchase } from './jobs/purchase.ts'

let directory: string
const home = () => openHome({ environment: { AGENT_MARKETPLACE_HOME: directory }, homeDirectory: '/nowhere' })

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-home-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

test('what is kept is the user’s alone, whole, and never left half written', () => {
  home().write('sessions', { a: 1 })
  home().write('sessions', { b: 2 })
  expect(home().read('sessions')).toEqual({ b: 2 })
  expect(readdirSync(directory)).toEqual(['sessions.json'])
  expect(statSync(join(directory, 'sessions.json')).mode & 0o777).toBe(0o600)
})

test('a key file is never replaced', () => {
  home().writeNew('keystore', { a: 1 })
  expect(() => home().writeNew('keystore', { a: 2 })).toThrow('EEXIST')
  expect(home().read('keystore')).toEqual({ a: 1 })
})

test('a file that others can read is not used, and one that is broken says so', () => {
  home().write('keystore', {})
  chmodSync(join(directory, 'keystore.json'), 0o644)
  expect(() => home().read('keystore')).toThrow('chmod 600')
  writeFileSync(join(directory, 'config.json'), '{', { mode: 0o600 })
  expect(() => home().read('config')).toThrow('is not JSON')
  expect(home().read('nothing')).toBeUndefined()
})

test('a directory that others can change, and a draft that leads elsewhere, are not used', () => {
  home().write('config', { a: 1 })
  chmodSync(directory, 0o777)
  expect(() => home().write('config', { a: 2 })).toThrow('chmod go-w')
  chmodSync(directory, 0o700)
  expect(home().read('config')).toEqual({ a: 1 })
})

test('a purchase is found by its key, at its own marketplace alone', () => {
  const order = { agentId: 'a', title: 't', description: 'd', agreedPrice: '1' }
  const purchase = { key: 'k', url: 'http://one', given: '{}', order }
  expect(beginPurchase(home(), purchase)).toBe(purchase)
  expect(findPurchase(home(), 'k', 'http://one')).toEqual(purchase)
  expect(findPurchase(home(), 'other', 'http://one')).toBeUndefined()
  expect(() => findPurchase(home(), 'k', 'http://two')).toThrow('belongs to a purchase at http://one')
  // Another process was first, and has made the job: nothing of it is forgotten.
  home().write('purchases/k', { ...purchase, jobId: 'cjob' })
  expect(beginPurchase(home(), purchase)).toEqual({ ...purchase, jobId: 'cjob' })
  expect(findPurchase(home(), 'k', 'http://one')).toEqual({ ...purchase, jobId: 'cjob' })
  expect(readdirSync(join(directory, 'purchases'))).toEqual(['k.json'])
})
