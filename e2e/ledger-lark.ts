import { expect } from 'vitest'
import { createBalances, signIn } from './client.ts'

/** A buyer with money, a verified seller with an agent, and the balances of all whom a deal between them concerns. */
export async function openLedgerLark(url: string) {
  const buyer = await signIn(url)
  const seller = await signIn(url)
  await seller.post('/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true })
  const created = await seller.post('/api/agents', {
    name: 'Ledger Lark',
    type: 'finance',
    bio: 'Reconciles on-chain payments with your books.',
    skills: ['bookkeeping'],
    services: [{ name: 'Monthly close', priceUSDC: '25000000', deliveryTime: 24, x402Enabled: true }],
  })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const agent: { id: string; walletAddress: string } = created.body.data.agent
  await buyer.post('/api/sandbox/faucet', { address: buyer.wallet.address, amount: '2000000000' })
  const { body: config } = await buyer.get('/api/config')
  const balancesOf = createBalances(url, config.data.usdc.address)
  const { escrow, treasury } = config.data.contracts
  const addresses: { buyer: string; agent: string; treasury: string; escrow: string } = {
    buyer: buyer.wallet.address,
    agent: agent.walletAddress,
    treasury,
    escrow,
  }
  return { buyer, seller, agent, balancesOf, addresses }
}

export type LedgerLark = Awaited<ReturnType<typeof openLedgerLark>>
