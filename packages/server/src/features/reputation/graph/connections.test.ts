import { expect, test } from 'vitest'
import { type Flow, findConnections } from './connections.ts'

const PAID = 1_000n
const flow = (from: string, to: string, amountMicro = PAID, isPay = false): Flow => ({
  from,
  to,
  amountMicro,
  isPay,
})
const buyers = (...names: string[]) =>
  new Map(names.map((name) => [name, { parties: [name], paidMicro: PAID }]))
const look = (flows: Flow[], names = ['buyer'], publicParties: string[] = []) =>
  findConnections({
    seller: 'seller',
    buyers: buyers(...names),
    flows,
    isPublic: (party) => publicParties.includes(party),
  })
const exclusionOf = (flows: Flow[], publicParties: string[] = []) =>
  look(flows, ['buyer'], publicParties).exclusions.get('buyer')

test('strangers are independent', () => {
  expect(exclusionOf([flow('bank', 'buyer'), flow('seller', 'landlord')])).toBeUndefined()
})

test('the seller’s money is found over two wallets', () => {
  expect(exclusionOf([flow('seller', 'buyer')])).toBe('SELLER_FUNDED_BUYER')
  expect(exclusionOf([flow('seller', 'a'), flow('a', 'buyer')])).toBe('SELLER_FUNDED_BUYER')
  expect(exclusionOf([flow('seller', 'a'), flow('a', 'b'), flow('b', 'buyer')])).toBe('SELLER_FUNDED_BUYER')
  expect(
    exclusionOf([flow('seller', 'a'), flow('a', 'b'), flow('b', 'c'), flow('c', 'buyer')]),
  ).toBeUndefined()
})

test('money that goes round through jobs comes back all the same', () => {
  expect(exclusionOf([flow('seller', 'other', PAID, true), flow('other', 'buyer', PAID, true)])).toBe(
    'SELLER_FUNDED_BUYER',
  )
})

test('dust connects nobody, and many drops are no dust', () => {
  expect(exclusionOf([flow('seller', 'buyer', 199n)])).toBeUndefined()
  expect(exclusionOf(Array.from({ length: 20 }, () => flow('seller', 'buyer', 10n)))).toBe(
    'SELLER_FUNDED_BUYER',
  )
})

test('one who paid for both sides connects them, unless everybody is paid from there', () => {
  const flows = [flow('funder', 'seller'), flow('funder', 'buyer')]
  expect(exclusionOf(flows)).toBe('SHARED_FUNDER')
  expect(exclusionOf([flow('funder', 'seller'), flow('funder', 'a'), flow('a', 'buyer')])).toBe(
    'SHARED_FUNDER',
  )
  expect(exclusionOf(flows, ['funder'])).toBeUndefined()
  expect(exclusionOf([flow('seller', 'exchange'), flow('exchange', 'buyer')], ['exchange'])).toBeUndefined()
})

test('two who hired the same customer’s agent are strangers', () => {
  expect(exclusionOf([flow('customer', 'seller', PAID, true), flow('customer', 'buyer')])).toBeUndefined()
})

test('a buyer who gave the seller money is no stranger', () => {
  expect(exclusionOf([flow('buyer', 'seller')])).toBe('BUYER_FUNDED_SELLER')
})

test('buyers with the same funder belong together, and those who hired the same person do not', () => {
  const names = ['ann', 'ben', 'cid', 'dot']
  const { clusters } = look([flow('funder', 'ann'), flow('funder', 'ben'), flow('ben', 'cid')], names)
  expect(new Set(['ann', 'ben', 'cid'].map((name) => clusters.get(name))).size).toBe(1)
  expect(clusters.get('dot')).toBe('dot')
  const hired = look([flow('ann', 'ben', PAID, true), flow('cid', 'ben', PAID, true)], names)
  expect(new Set(names.map((name) => hired.clusters.get(name))).size).toBe(4)
})
