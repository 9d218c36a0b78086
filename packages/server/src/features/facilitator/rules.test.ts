import { describe, expect, test } from 'vitest'
import type { Offer } from '../../ports/payments/port.ts'
import { kindsServed, namedNetwork, offerIn } from './rules.ts'

describe('kinds', () => {
  const onBase = { x402Version: 2, scheme: 'exact', network: 'eip155:8453' }

  test('version 1 has a kind where it has a name for the network', () => {
    expect(kindsServed([onBase], 'eip155:8453')).toEqual([
      onBase,
      { x402Version: 1, scheme: 'exact', network: 'base' },
    ])
    const onSepolia = { ...onBase, network: 'eip155:84532' }
    expect(kindsServed([onSepolia], 'eip155:84532')).toEqual([
      onSepolia,
      { x402Version: 1, scheme: 'exact', network: 'base-sepolia' },
    ])
    const onDevnet = { ...onBase, network: 'eip155:31337' }
    expect(kindsServed([onDevnet], 'eip155:31337')).toEqual([onDevnet])
  })

  test('what a facilitator elsewhere can do besides is not promised here', () => {
    const more = [
      { ...onBase, scheme: 'upto' },
      { ...onBase, network: 'eip155:137' },
      { x402Version: 1, scheme: 'exact', network: 'base' },
    ]
    expect(kindsServed(more, 'eip155:8453')).toEqual([])
  })
})

describe('requirements', () => {
  const ours: Offer = {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '0',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    payTo: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2' },
  }
  const { amount: _amount, extra: _extra, ...bare } = ours

  test('of version 1, with the name of the network, are the same offer', () => {
    expect(offerIn({ ...bare, network: 'base', maxAmountRequired: '7' }, ours)).toEqual({
      ...ours,
      amount: '7',
    })
    expect(namedNetwork('base', 'eip155:8453')).toBe('base')
    expect(namedNetwork('base-sepolia', 'eip155:8453')).toBe('eip155:8453')
  })

  test('without extra get ours; what they name counts as they name it', () => {
    for (const extra of [undefined, null, {}])
      expect(offerIn({ ...bare, amount: '7', ...(extra !== undefined && { extra }) }, ours).extra).toEqual(
        ours.extra,
      )
    expect(offerIn({ ...bare, amount: '7', extra: { name: 'Other' } }, ours).extra).toEqual({
      name: 'Other',
      version: '2',
    })
  })

  test('without an amount have none, and no payment is watched for longer than an hour', () => {
    expect(offerIn({ ...bare, maxTimeoutSeconds: 2 ** 50 }, ours)).toMatchObject({
      amount: '',
      maxTimeoutSeconds: 3600,
    })
  })
})
