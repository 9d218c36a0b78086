import type { JobDetail, TypedData } from '@agent-marketplace/contract'
import { recoverTypedDataAddress } from 'viem'
import { expect, test } from 'vitest'
import { createTestClient, testAccount } from '../testing/createTestClient.ts'
import { authorizationFields } from './signX402Payment.ts'

const usdcAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const escrow = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const stranger = '0x00000000000000000000000000000000000000Ff'
const nonce = `0x${'0b'.repeat(32)}` as const
const domain = { name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: usdcAddress } as const
const types = { ReceiveWithAuthorization: authorizationFields }
const message = {
  from: testAccount.address,
  to: escrow,
  value: '150000000',
  validAfter: '0',
  validBefore: '1794823200',
  nonce,
}
const typedData: TypedData = { domain, types, primaryType: 'ReceiveWithAuthorization', message }

/** A service that has one unpaid escrow job and hands out this typed data for it. */
function hireFrom(handedOut: TypedData | undefined) {
  const sent: string[] = []
  const job: Pick<JobDetail, 'id' | 'status' | 'paymentMethod' | 'agreedPrice' | 'paymentInfo'> = {
    id: 'cjob1',
    status: 'PENDING',
    paymentMethod: 'ESCROW',
    agreedPrice: '150000000',
    paymentInfo: { method: 'escrow', message: 'Sign it.', ...(handedOut ? { typedData: handedOut } : {}) },
  }
  const config = { chain: { id: 31337 }, contracts: { usdc: usdcAddress, escrow } }
  const { client } = createTestClient({
    baseUrl: 'http://localhost',
    apiKey: 'amk_test',
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname
      if (path === '/api/config') return Response.json({ data: config })
      if (path === '/api/jobs/cjob1/pay') sent.push(String(init?.body))
      return Response.json({ data: { job } })
    },
  })
  const order = { agentId: 'cagent123', title: 'Work', description: 'Work.', agreedPrice: '150000000' }
  return { sent, hired: client.hire(order) }
}

test('the typed data is signed as it was handed out, with or without the type of its domain', async () => {
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ]
  for (const handedOut of [typedData, { ...typedData, types: { EIP712Domain, ...types } }]) {
    const { hired, sent } = hireFrom(handedOut)
    await hired
    const { authorization, signature } = JSON.parse(String(sent[0]))
    expect(authorization).toEqual(message)
    const signed = { domain, types, primaryType: 'ReceiveWithAuthorization', message, signature } as const
    expect(await recoverTypedDataAddress(signed)).toBe(testAccount.address)
  }
})

test.each<[string, TypedData | undefined]>([
  ['more money', { ...typedData, message: { ...message, value: '150000001' } }],
  ['another payee', { ...typedData, message: { ...message, to: stranger } }],
  ['another token', { ...typedData, domain: { ...domain, verifyingContract: stranger } }],
  ['another chain', { ...typedData, domain: { ...domain, chainId: 1 } }],
  ['another kind of permission', { ...typedData, primaryType: 'Permit' }],
  ['other fields', { ...typedData, types: { ReceiveWithAuthorization: authorizationFields.slice(1) } }],
  ['nothing to sign', undefined],
])('it is not signed for %s', async (_, handedOut) => {
  const { hired, sent } = hireFrom(handedOut)
  await expect(hired).rejects.toMatchObject({ code: 'UNEXPECTED_PAYMENT', details: { jobId: 'cjob1' } })
  expect(sent).toEqual([])
})
