import { describe, expect, test } from 'vitest'
import { checkIdentifier, fingerprintOf, isTokenOf, jobIdOf, orderTokenOf, waitSecondsOf } from './rules.ts'

describe('waitSecondsOf', () => {
  test('reads the Prefer header, within bounds', () => {
    expect(waitSecondsOf(undefined)).toBe(20)
    expect(waitSecondsOf(undefined, 0)).toBe(0)
    expect(waitSecondsOf('wait=60')).toBe(60)
    expect(waitSecondsOf('respond-async, wait = 5')).toBe(5)
    expect(waitSecondsOf(['respond-async', 'Wait=0'])).toBe(0)
    expect(waitSecondsOf('wait=100000')).toBe(120)
    expect(waitSecondsOf('wait=soon')).toBe(20)
    expect(waitSecondsOf('await=3')).toBe(20)
  })
})

test('a fingerprint is of the service and the whole input, however it is sorted', () => {
  const order = { wallet: '0xAb', serviceId: 'cone', input: { a: 1, b: { c: [1, 2], d: null } } }
  const same = { ...order, wallet: '0xaB', input: { b: { d: null, c: [1, 2] }, a: 1 } }
  expect(fingerprintOf(same)).toBe(fingerprintOf(order))
  const others = [
    { ...order, serviceId: 'ctwo' },
    { ...order, input: { a: 1 } },
    { ...order, input: { a: 1, b: { c: [2, 1], d: null } } },
    {
      ...order,
      input: {
        a: 1,
        b: [
          ['c', [1, 2]],
          ['d', null],
        ],
      },
    },
  ]
  for (const other of others) expect(fingerprintOf(other)).not.toBe(fingerprintOf(order))
})

test('a job’s id has the shape of all others', () => {
  const id = jobIdOf({ payer: '0xAb', nonce: '0xCd' })
  expect(id).toMatch(/^c[0-9a-z]{24}$/)
  expect(jobIdOf({ payer: '0xaB', nonce: '0xcD' })).toBe(id)
  expect(jobIdOf({ payer: '0xab', nonce: '0xce' })).not.toBe(id)
})

test('a token opens its own order', () => {
  const token = orderTokenOf('cone', 'secret')
  expect(isTokenOf('cone', token, 'secret')).toBe(true)
  expect(isTokenOf('ctwo', token, 'secret')).toBe(false)
  expect(isTokenOf('cone', token, 'other')).toBe(false)
})

test('an identifier is where it should be and well formed, or the order is rejected', () => {
  const id = 'order_0123456789'
  const inPlace = (info: object) => ({ 'payment-identifier': { info } })
  for (const sent of [
    {},
    { extensions: inPlace({ required: false }) },
    { identifier: id, extensions: inPlace({ required: false, id }) },
  ]) {
    expect(() => checkIdentifier(sent)).not.toThrow()
  }
  for (const sent of [
    { identifier: 'short', extensions: inPlace({ id: 'short' }) },
    { extensions: inPlace({ id: 1234567890123456 }) },
    { extensions: { 'payment-identifier': { id } } },
  ]) {
    expect(() => checkIdentifier(sent)).toThrow('payment-identifier')
  }
})
