import { appendFileSync, chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openHome } from '../home.ts'
import { openLedger } from './ledger.ts'
import { guardOf } from './local-wallet.ts'

const USDC = 1_000_000n
const HOUR_MS = 3_600_000
const caps = { perJobMicro: 2n * USDC, perDayMicro: 5n * USDC, totalMicro: 8n * USDC }
const address = '0xAbC'

let directory: string
let file: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'cli-spending-'))
  file = join(directory, 'spending/0xabc.jsonl')
})
afterEach(() => rmSync(directory, { recursive: true }))

/** As one process opens it. */
const ledger = () =>
  openLedger(
    openHome({ environment: { AGENT_MARKETPLACE_HOME: directory }, homeDirectory: '/nowhere' }),
    address,
    caps,
  )

let nonces = 0
const payment = (micro: bigint, atMs: number, nonce = `n${++nonces}`) => ({
  nonce,
  amountMicro: micro,
  atMs,
})

test('each cap holds to the micro-unit, and what it refuses counts nothing', () => {
  const { reserve, left } = ledger()
  expect(reserve(payment(2n * USDC + 1n, 0))).toContain('cap for one job is 2.00')
  expect(reserve(payment(2n * USDC, 0))).toBeUndefined()
  expect(reserve(payment(2n * USDC, 0))).toBeUndefined()
  expect(reserve(payment(USDC + 1n, 0))).toContain('for 24 hours 1.00 is left')
  expect(reserve(payment(USDC, 0))).toBeUndefined()
  expect(left(0)).toEqual({ dayMicro: 0n, totalMicro: 3n * USDC })
  const later = 24 * HOUR_MS
  expect(left(later - 1).dayMicro).toBe(0n)
  expect(left(later)).toEqual({ dayMicro: 5n * USDC, totalMicro: 3n * USDC })
  expect(reserve(payment(2n * USDC, later))).toBeUndefined()
  expect(reserve(payment(USDC + 1n, later))).toContain('in all 1.00 is left')
})

test('a nonce is taken once by the token, so signing it again counts once, at its largest', () => {
  const { reserve, left } = ledger()
  expect(reserve(payment(USDC, 0, 'same'))).toBeUndefined()
  expect(reserve(payment(2n * USDC, 0, 'same'))).toBeUndefined()
  expect(reserve(payment(USDC, 0, 'same'))).toBeUndefined()
  expect(left(0).totalMicro).toBe(6n * USDC)
})

test('processes share the caps, and one that died before it signed has used its part', () => {
  const [one, other] = [ledger(), ledger()]
  expect(one.reserve(payment(2n * USDC, 0))).toBeUndefined()
  expect(other.reserve(payment(2n * USDC, 0))).toBeUndefined()
  expect(one.reserve(payment(2n * USDC, 0))).toContain('1.00 is left')
  expect(other.reserve(payment(USDC, 0))).toBeUndefined()
  // Two at once: both are written before either is judged, and the first line wins.
  const line = (id: string) => JSON.stringify({ id, nonce: id, amountMicro: '2000000', atMs: 24 * HOUR_MS })
  appendFileSync(file, `${line('a')}\n`)
  expect(ledger().reserve(payment(2n * USDC, 24 * HOUR_MS))).toContain('in all 1.00 is left')
})

test('a line that a crash cut off is passed over, and spoils none that follows', () => {
  expect(ledger().reserve(payment(2n * USDC, 0))).toBeUndefined()
  appendFileSync(file, '{"id":"x","nonce":"y","amountMi')
  expect(ledger().reserve(payment(2n * USDC, 0))).toBeUndefined()
  expect(ledger().left(0).dayMicro).toBe(USDC)
})

test('the file is the user’s alone: one that others can read, or that leads elsewhere, is not used', () => {
  ledger().reserve(payment(USDC, 0))
  expect(statSync(file).mode & 0o777).toBe(0o600)
  chmodSync(file, 0o644)
  expect(() => ledger().reserve(payment(USDC, 0))).toThrow('chmod 600')
  rmSync(file)
  writeFileSync(join(directory, 'elsewhere'), '')
  symlinkSync(join(directory, 'elsewhere'), file)
  expect(() => ledger().reserve(payment(USDC, 0))).toThrow('ELOOP')
})

test('a line that is not kept is not signed for', () => {
  expect(ledger().reserve(payment(2n * USDC, 0))).toBeUndefined()
  const home = openHome({ environment: { AGENT_MARKETPLACE_HOME: directory }, homeDirectory: '/nowhere' })
  const full = openLedger({ ...home, addLine: () => undefined }, address, caps)
  expect(() => full.reserve(payment(USDC, 0))).toThrow('does not keep')
})

test('caps are in USDC: no other token is signed for, and one nonce counts on every chain', () => {
  const signed = ledger()
  const guard = guardOf(signed, () => 0)
  const ask = (chainId: number, verifyingContract: `0x${string}`) =>
    guard({
      kind: 'escrowDeposit',
      typedData: {
        domain: { name: 'USD Coin', version: '2', chainId, verifyingContract },
        types: {},
        primaryType: 'ReceiveWithAuthorization',
        message: { nonce: '0xAB', value: '1000000' },
      },
    })
  const base = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
  expect(() => ask(8453, '0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf')).toThrow('not known as USDC')
  expect(() => ask(1, base)).toThrow('not known as USDC')
  expect(signed.left(0).totalMicro).toBe(8n * USDC)
  ask(8453, base)
  ask(8453, base.toLowerCase() as `0x${string}`)
  expect(signed.left(0).totalMicro).toBe(7n * USDC)
  ask(84532, '0x036CbD53842c5426634e7929541eC2318f3dCF7e')
  ask(31337, base)
  expect(signed.left(0).totalMicro).toBe(5n * USDC)
})
