import { prepareTransferWithAuthorization } from '@agent-marketplace/chain'
import { type Address, createPublicClient, custom } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { execute } from '../../features/payments/testing/chain-deeds.ts'
import { newWallet } from '../../testing/sign-in.ts'
import { signPayment } from '../../testing/sign-payment.ts'
import { startTestChain } from '../../testing/test-chain.ts'
import type { EmbeddedChain } from '../chain/embedded.ts'
import { lookUpPayment } from './look-up.ts'
import type { Offer } from './port.ts'

let chain: EmbeddedChain
beforeAll(async () => {
  chain = await startTestChain()
})
afterAll(() => chain.close())

test('a payment that was made in time is not over for a node whose state lags behind its blocks', async () => {
  const { facts } = chain.chain
  const [payer, carrier] = [newWallet(), newWallet()]
  await chain.sandbox.faucet({ address: payer.address, amountMicro: 5n })
  await chain.sandbox.faucet({ address: carrier.address, amountMicro: 1n })
  const offer = { payTo: facts.contracts.treasury, amount: '5', maxTimeoutSeconds: 60 } as Offer
  const { payment } = await signPayment({ chain: chain.chain, clock: chain.sandbox }, payer, offer)
  const { payer: from, payTo: to, amountMicro: value, validAfter, validBefore, nonce, signature } = payment
  const usdc = facts.contracts.usdc as Address
  const before = await chain.client.getBlockNumber()
  const { transactionHash } = await execute(
    chain,
    carrier,
    prepareTransferWithAuthorization({
      usdc,
      authorization: { from, to, value, validAfter, validBefore, nonce },
      signature,
    }),
  )
  await chain.sandbox.advanceTime(3600)

  const lagging = createPublicClient({
    chain: chain.client.chain,
    transport: custom({
      request: async ({ method, params }) => {
        const isPresent = method === 'eth_call' && params[1] === 'latest'
        return chain.client.request({
          method,
          params: isPresent ? [params[0], `0x${before.toString(16)}`] : params,
        })
      },
    }),
  })
  const fate = await lookUpPayment(lagging, { usdc, payment, sinceBlock: before })
  expect(fate).toMatchObject({ status: 'transferred', place: { txHash: transactionHash } })
})
