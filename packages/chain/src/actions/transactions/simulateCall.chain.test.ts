import { createPublicClient, custom } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDevnet, type TestDevnet, testAccount } from '../../testing/startTestDevnet.ts'
import { prepareTransfer } from '../usdc/prepareTransfer.ts'
import { simulateCall } from './simulateCall.ts'

const payer = testAccount(1)
let running: TestDevnet
beforeAll(async () => {
  running = await startTestDevnet()
  await running.devnet.faucet({ address: payer.address, amountMicro: 1_000_000n })
})
afterAll(() => running.stop())

const transfer = (amountMicro: bigint) =>
  prepareTransfer({ usdc: running.devnet.addresses.usdc, to: testAccount(2).address, amountMicro })

test('the gas that is found is enough, and a refusal is one', async () => {
  const { client } = running
  const found = await simulateCall(client, { from: payer.address, call: transfer(5n) })
  expect(found).toMatchObject({ status: 'ok' })
  expect(await simulateCall(client, { from: payer.address, call: transfer(2_000_000n) })).toMatchObject({
    status: 'refused',
  })
})

test('a node that names too little gas has given no answer: nothing is sent to run out of it', async () => {
  const client = createPublicClient({
    transport: custom({
      request: async ({ method, params }) =>
        method === 'eth_estimateGas' ? '0x5300' : running.client.request({ method, params }),
    }),
  })
  expect(await simulateCall(client, { from: payer.address, call: transfer(5n) })).toMatchObject({
    status: 'unanswered',
  })
})
