import type { Addresses } from './aftermath.ts'
import type { SteadyClient } from './steady-client.ts'
import type { Cast } from './story.ts'

interface Wanted {
  buyer: SteadyClient
  seller: SteadyClient
  agent: { name: string; description: string }
  fundsMicro: bigint
}

/** A verified seller with one agent, and a buyer with money. */
export async function prepareCast({
  buyer,
  seller,
  agent,
  fundsMicro,
}: Wanted): Promise<{ cast: Cast; addresses: Addresses }> {
  await seller.post('/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true })
  const made = await seller.post('/api/agents', {
    ...agent,
    category: 'testing',
    hourlyRateUsdc: '1000000',
  })
  const { address } = buyer.wallet
  await buyer.post('/api/sandbox/faucet', { address, amount: String(fundsMicro) })
  const { data: config } = (await buyer.get('/api/config')).body
  const { id: agentId, walletAddress } = made.body.data
  const { treasury, escrow } = config.contracts
  const now = () => Math.floor(Date.now() / 1000)
  return {
    cast: { buyer, seller, agentId, chainId: config.chain.id, usdc: config.usdc, now },
    addresses: { buyer: address, agent: walletAddress, treasury, escrow },
  }
}
