import { expect, test } from 'vitest'
import { checkRuling } from './check-ruling.ts'

const safe = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const escrow = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const stranger = '0x00000000000000000000000000000000000000Ff'
const expected = { chainId: 31337, safe, escrow }
const domain = { chainId: 31337, verifyingContract: safe }
const message = { to: escrow.toLowerCase(), value: '0', operation: 0, gasPrice: '0' }
const ruling = { domain, primaryType: 'SafeTx', message }

test('a call of the escrow by the Safe may be signed', () => {
  checkRuling(ruling, expected)
})

test.each<[string, Parameters<typeof checkRuling>[0]]>([
  ['another chain', { ...ruling, domain: { ...domain, chainId: 1 } }],
  ['another Safe', { ...ruling, domain: { ...domain, verifyingContract: stranger } }],
  ['another kind of data', { ...ruling, primaryType: 'Permit' }],
  ['a call of another contract', { ...ruling, message: { ...message, to: stranger } }],
  ['a transfer', { ...ruling, message: { ...message, value: '1' } }],
  ['a delegated call', { ...ruling, message: { ...message, operation: 1 } }],
  ['a refund of gas', { ...ruling, message: { ...message, gasPrice: '1' } }],
])('%s may not', (_what, typedData) => {
  expect(() => checkRuling(typedData, expected)).toThrow('Nothing was signed')
})
