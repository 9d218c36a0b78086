import {
  concat,
  createPublicClient,
  custom,
  encodeAbiParameters,
  getContractAddress,
  type Hex,
  pad,
} from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chainOf } from '../chains.ts'
import { callTo } from '../preparedCall.ts'
import { startTestDevnet, type TestDevnet, testAccount } from '../testing/startTestDevnet.ts'
import { verifySmartAccountMessage, verifySmartAccountTypedData } from './verifySmartAccountSignature.ts'

const owner = testAccount(1)
const stranger = testAccount(2)
const message = 'example.org wants you to sign in'
const typedData = {
  domain: { name: 'Example', version: '1', chainId: 31337 },
  types: { Consent: [{ name: 'text', type: 'string' }] },
  primaryType: 'Consent',
  message: { text: 'yes' },
} as const

let running: TestDevnet
beforeAll(async () => {
  running = await startTestDevnet()
})
afterAll(() => running.stop())

const smartAccountOf = (nonce: bigint, signer = owner) =>
  toCoinbaseSmartAccount({
    client: running.client,
    owners: [signer, running.devnet.addresses.spendPermissionManager],
    nonce,
    version: '1.1',
  })

const deploy = async (account: Awaited<ReturnType<typeof smartAccountOf>>): Promise<void> => {
  const { factory, factoryData } = await account.getFactoryArgs()
  if (!factory || !factoryData) throw new Error('the account is deployed already')
  const receipt = await running.execute(stranger, callTo(factory, factoryData))
  expect(receipt.status).toBe('success')
}

describe.each(['undeployed', 'deployed'])('%s smart account', (state) => {
  const nonce = state === 'deployed' ? 7n : 8n
  let account: Awaited<ReturnType<typeof smartAccountOf>>
  beforeAll(async () => {
    account = await smartAccountOf(nonce)
    if (state === 'deployed') await deploy(account)
  })

  test('its owner’s signature is valid, for messages and typed data', async () => {
    const { address } = account
    const signature = await account.signMessage({ message })
    expect(signature.endsWith('6492'.repeat(16))).toBe(state === 'undeployed')
    expect(await verifySmartAccountMessage(running.client, { address, message, signature })).toEqual({
      status: 'valid',
    })
    const typedSignature = await account.signTypedData(typedData)
    expect(
      await verifySmartAccountTypedData(running.client, { address, typedData, signature: typedSignature }),
    ).toEqual({
      status: 'valid',
    })
  })

  test('another text, another account or junk is invalid', async () => {
    const { address } = account
    const signature = await account.signMessage({ message })
    const verify = (parameters: { address: Hex; message: string; signature: Hex }) =>
      verifySmartAccountMessage(running.client, parameters)
    const foreign = await (await smartAccountOf(nonce, stranger)).signMessage({ message })
    for (const parameters of [
      { address, message: `${message}!`, signature },
      { address: (await smartAccountOf(99n)).address, message, signature },
      { address, message, signature: foreign },
      { address, message, signature: '0x' },
      { address, message, signature: '0x123' },
      { address, message, signature: 'junk' },
      { address, message, signature: `0x${'ab'.repeat(16_384)}` },
      { address, message, signature: `0x${'ab'.repeat(90_000)}` },
      { address, message, signature: `0x${'00'.repeat(65)}` },
      { address, message, signature: `0x${'ff'.repeat(96)}${'6492'.repeat(16)}` },
      { address: '0x12', message, signature },
    ] as { address: Hex; message: string; signature: Hex }[]) {
      expect(await verify(parameters), JSON.stringify(parameters).slice(0, 300)).toEqual({
        status: 'invalid',
      })
    }
  })
})

test('a factory that loops endlessly, or is not there, makes an invalid signature at a bounded cost', async () => {
  const account = await smartAccountOf(3n)
  const signature = await account.signMessage({ message })
  const canonical = running.devnet.addresses.smartWalletFactory.slice(2).toLowerCase()
  for (const factory of [await deployEndlessLoop(), '0x000000000000000000000000000000000000dEaD']) {
    const elsewhere = signature.toLowerCase().replace(canonical, factory.slice(2).toLowerCase()) as Hex
    expect(elsewhere).not.toBe(signature)
    const parameters = { address: account.address, message, signature: elsewhere, timeoutMs: 20_000 }
    expect(await verifySmartAccountMessage(running.client, parameters)).toEqual({ status: 'invalid' })
  }
})

const deployEndlessLoop = async (): Promise<Hex> => {
  const deployer = testAccount(3)
  const rawTransaction = await deployer.signTransaction({
    type: 'eip1559',
    chainId: running.devnet.chainId,
    nonce: 0,
    gas: 200_000n,
    maxFeePerGas: 0n,
    maxPriorityFeePerGas: 0n,
    // Stores and returns the code `5b600056`: a jump to itself.
    data: '0x635b6000566000526004601cf3',
  })
  await running.client.sendRawTransaction({ serializedTransaction: rawTransaction })
  const address = getContractAddress({ from: deployer.address, nonce: 0n })
  expect(await running.client.getCode({ address })).toBe('0x5b600056')
  return address
}

describe('a chain that does not respond is not a "no"', () => {
  const clientOver = (request: (asked: { method: string }) => Promise<unknown>) =>
    createPublicClient({ chain: chainOf(31337), transport: custom({ request }, { retryCount: 0 }) })
  const parameters = { address: owner.address, message, signature: `0x${'11'.repeat(65)}` as Hex }

  test('silence', async () => {
    const verdict = await verifySmartAccountMessage(
      clientOver(() => new Promise(() => undefined)),
      { ...parameters, timeoutMs: 5 },
    )
    expect(verdict).toMatchObject({
      status: 'unanswered',
      cause: { message: 'the chain did not respond within 5 ms' },
    })
  })

  test.each([
    ['a refused connection', Object.assign(new Error('fetch failed'), { cause: new Error('ECONNREFUSED') })],
    ['a busy node', Object.assign(new Error('rate limit exceeded'), { code: -32005 })],
    ['an internal error', Object.assign(new Error('header not found'), { code: -32000 })],
  ])('%s', async (_, error) => {
    const verdict = await verifySmartAccountMessage(
      clientOver(() => Promise.reject(error)),
      parameters,
    )
    expect(verdict).toMatchObject({ status: 'unanswered' })
  })

  test('garbage instead of a response', async () => {
    for (const garbage of ['<html>', null, {}, '0x']) {
      const verdict = await verifySmartAccountMessage(
        clientOver(({ method }) => Promise.resolve(method === 'eth_getCode' ? '0x60' : garbage)),
        parameters,
      )
      expect(verdict.status, JSON.stringify(garbage)).toBe('unanswered')
    }
  })
})

describe('addresses behind which there is no account', () => {
  const wrap = (signature: Hex): Hex =>
    concat([
      encodeAbiParameters(
        [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
        [stranger.address, '0x', signature],
      ),
      `0x${'6492'.repeat(16)}`,
    ])
  const hopeless: Hex[] = [`0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, `0x${'11'.repeat(64)}1b`, '0x']

  // What no key has signed recovers to the zero address; a precompiled contract returns something to any call.
  test.each(['0x0', '0x1', '0x2', '0x4', '0x9'] as const)('nothing is a signature of %s', async (short) => {
    const address = pad(short === '0x0' ? '0x00' : `0x0${short.slice(2)}`, { size: 20 })
    for (const signature of hopeless.flatMap((plain) => [plain, wrap(plain)]))
      expect(await verifySmartAccountMessage(running.client, { address, message, signature })).toEqual({
        status: 'invalid',
      })
  })

  test('the validator is not asked about a plain key', async () => {
    const asked: string[] = []
    const client = createPublicClient({
      chain: chainOf(31337),
      transport: custom({
        request({ method, params }) {
          asked.push(method)
          return running.client.request({ method, params } as never)
        },
      }),
    })
    const { address } = owner
    const signature = await owner.signMessage({ message })
    expect(await verifySmartAccountMessage(client, { address, message, signature })).toEqual({
      status: 'invalid',
    })
    expect(asked).toEqual(['eth_getCode'])
  })
})
