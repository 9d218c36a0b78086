import { authorizationFields, type JobDetail, type TypedData } from '@agent-marketplace/contract'
import { recoverTypedDataAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import type { MutationOptions } from '../endpoints.ts'
import { createTestClient, testAccount } from '../testing/createTestClient.ts'

const usdcAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const escrow = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const stranger = '0x00000000000000000000000000000000000000Ff'
const nonce = `0x${'0b'.repeat(32)}` as const
const domain = { name: 'USD Coin', version: '2', chainId: 31337, verifyingContract: usdcAddress } as const
const fields: TypedData['types'][string] = [...authorizationFields]
const types = { ReceiveWithAuthorization: fields }
const message = {
  from: testAccount.address,
  to: escrow,
  value: '150000000',
  validAfter: '0',
  validBefore: '1794816000',
  nonce,
}
const typedData: TypedData = { domain, types, primaryType: 'ReceiveWithAuthorization', message }

const order = { agentId: 'cagent123', title: 'Work', description: 'Work.', agreedPrice: '150000000' }
const config = {
  chain: { id: 31337 },
  usdc: { address: usdcAddress, name: 'USD Coin', version: '2' },
  contracts: { usdc: usdcAddress, escrow },
}

/** A service that hands out this typed data, in its quote and for the job that is there. */
function hireFrom(
  handedOut: TypedData | undefined,
  {
    options = {},
    responseTo = () => 201,
    configured = config,
  }: { options?: MutationOptions; responseTo?: (call: number) => number; configured?: object } = {},
) {
  const sent: Record<'quote' | 'jobs' | 'pay', Record<string, unknown>[]> = { quote: [], jobs: [], pay: [] }
  const paymentInfo = {
    method: 'escrow' as const,
    message: 'Sign it.',
    ...(handedOut ? { typedData: handedOut } : {}),
  }
  const jobNow = (): Pick<JobDetail, 'id' | 'status' | 'paymentMethod' | 'agreedPrice' | 'paymentInfo'> => ({
    id: 'cjob1',
    status: sent.jobs.at(-1)?.reservation && responseTo(sent.jobs.length) === 201 ? 'IN_PROGRESS' : 'PENDING',
    paymentMethod: 'ESCROW',
    agreedPrice: '150000000',
    paymentInfo,
  })
  const { client } = createTestClient({
    baseUrl: 'http://localhost',
    apiKey: 'amk_test',
    retry: { attempts: 1 },
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname
      if (path === '/api/config') return Response.json({ data: configured })
      if (init?.method === 'GET') return Response.json({ data: { job: jobNow() } })
      const call = path.split('/').at(-1) as keyof typeof sent
      sent[call].push(JSON.parse(String(init?.body)))
      if (call === 'quote')
        return Response.json({ data: { reservation: `r${sent.quote.length}`, paymentInfo } })
      const status = call === 'jobs' ? responseTo(sent.jobs.length) : 200
      if (status >= 500) throw new TypeError('the response was lost')
      return Response.json({ data: { job: jobNow(), paymentInfo } }, { status })
    },
  })
  return { sent, hire: () => client.hire(order, options) }
}

async function signerOf({ authorization, signature }: Record<string, unknown>) {
  expect(authorization).toEqual(message)
  const signed = { domain, types, primaryType: 'ReceiveWithAuthorization', message } as const
  return recoverTypedDataAddress({ ...signed, signature: signature as `0x${string}` })
}

test('one POST makes the job and pays: the typed data is signed as it was quoted, with or without the type of its domain', async () => {
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ]
  for (const handedOut of [typedData, { ...typedData, types: { EIP712Domain, ...types } }]) {
    const { hire, sent } = hireFrom(handedOut)
    expect((await hire()).status).toBe('IN_PROGRESS')
    expect(sent).toMatchObject({ quote: [order], jobs: [{ ...order, reservation: 'r1' }], pay: [] })
    expect(await signerOf(sent.jobs[0] ?? {})).toBe(testAccount.address)
  }
})

test('a settlement that takes long is not paid again', async () => {
  const { hire, sent } = hireFrom(typedData, { responseTo: () => 202 })
  expect((await hire()).status).toBe('PENDING')
  expect(sent.pay).toEqual([])
})

test('a call whose response is lost is sent again with the same signature; the next one is another hire', async () => {
  const { hire, sent } = hireFrom(typedData, { responseTo: (call) => (call === 1 ? 500 : 201) })
  await expect(hire()).rejects.toMatchObject({ code: 'NETWORK_ERROR' })
  await hire()
  expect(sent.jobs[1]).toEqual(sent.jobs[0])
  await hire()
  expect(sent.jobs.map(({ reservation }) => reservation)).toEqual(['r1', 'r1', 'r2'])
})

test('with a key of one’s own the job comes first and is paid then', async () => {
  const { hire, sent } = hireFrom(typedData, { options: { idempotencyKey: 'mine' } })
  await hire()
  expect([sent.quote, sent.jobs]).toEqual([[], [order]])
  expect(await signerOf(sent.pay[0] ?? {})).toBe(testAccount.address)
})

test('a service that calls itself a sandbox on a chain of real money gets no signature for years to come', async () => {
  const forYears = { ...typedData, message: { ...message, validBefore: '1999999999' } }
  const sandbox = { ...config, mode: 'sandbox' }
  const there = hireFrom(forYears, { configured: sandbox })
  expect((await there.hire()).status).toBe('IN_PROGRESS')
  const real = { ...forYears, domain: { ...domain, chainId: 8453 } }
  const { hire, sent } = hireFrom(real, { configured: { ...sandbox, chain: { id: 8453 } } })
  await expect(hire()).rejects.toMatchObject({
    code: 'UNEXPECTED_PAYMENT',
    details: { differences: ['validBefore'] },
  })
  expect(sent.jobs).toEqual([])
})

describe.each([
  ['in the quote', {}, {}],
  ['for a job that is there', { idempotencyKey: 'mine' }, { jobId: 'cjob1' }],
])('handed out %s, it is not signed', (_where, options, details) => {
  test.each<[string, TypedData | undefined]>([
    ['more money', { ...typedData, message: { ...message, value: '150000001' } }],
    ['another payee', { ...typedData, message: { ...message, to: stranger } }],
    ['another token', { ...typedData, domain: { ...domain, verifyingContract: stranger } }],
    ['another chain', { ...typedData, domain: { ...domain, chainId: 1 } }],
    ['another name of the token', { ...typedData, domain: { ...domain, name: 'Wrapped USDC' } }],
    ['another payer', { ...typedData, message: { ...message, from: stranger } }],
    ['years to come', { ...typedData, message: { ...message, validBefore: '1999999999' } }],
    ['another kind of permission', { ...typedData, primaryType: 'Permit' }],
    ['other fields', { ...typedData, types: { ReceiveWithAuthorization: fields.slice(1) } }],
    ['nothing to sign', undefined],
  ])('for %s', async (_what, handedOut) => {
    const { hire, sent } = hireFrom(handedOut, { options })
    await expect(hire()).rejects.toMatchObject({ code: 'UNEXPECTED_PAYMENT', details })
    expect([...sent.jobs, ...sent.pay].filter(({ signature }) => signature !== undefined)).toEqual([])
  })
})
