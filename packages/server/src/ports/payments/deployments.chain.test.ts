import { serializeErc6492Signature } from 'viem'
import { expect, test } from 'vitest'
import { startX402 } from '../../features/payments/testing/start-x402.ts'
import { signPayment } from '../../testing/sign-payment.ts'
import { startTestChain } from '../../testing/test-chain.ts'
import { createInProcessPayments } from './in-process.ts'

test('a payer whose code goes between two reads cannot name what the operator calls', async () => {
  const chain = await startTestChain()
  const own = await startX402({ chain })
  const offer = await own.offerFor()
  const payer = await own.newBuyer()
  const { payment } = await signPayment(own, payer, offer)
  const escrow = chain.chain.facts.contracts.escrow as `0x${string}`
  // release(bytes32)
  const data = `0x67d42a8b${'11'.repeat(32)}` as const
  const signature = serializeErc6492Signature({ address: escrow, data, signature: payment.signature })
  let reads = 0
  const getCode = async (query: { address: `0x${string}` }) => {
    if (query.address.toLowerCase() !== payer.address.toLowerCase()) return chain.client.getCode(query)
    reads += 1
    return reads === 1 ? (`0xef0100${'22'.repeat(20)}` as const) : undefined
  }
  const port = createInProcessPayments({
    client: { ...chain.client, getCode } as typeof chain.client,
    operator: chain.chain.facts.operator,
    now: own.clock.now,
  })
  const verdict = await port.verify({ ...payment, signature }, offer)
  expect(verdict).toMatchObject({ status: 'valid', isContract: false })
  expect(verdict).not.toHaveProperty('deployment')
  await own.close()
  await chain.close()
})
