import { allEndpoints } from '@agent-marketplace/contract'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, vi } from 'vitest'
import { PATIENCE_MS } from '../../../packages/server/src/testing/patience.ts'
import { type Client, createBalances, signIn } from '../../client.ts'
import type { DataAt, Reply } from '../../reply.ts'

export interface Market {
  url: string
  seller: Client
  agent: { id: string; walletAddress: string; name: string }
  balancesOf: ReturnType<typeof createBalances>
  /** A wallet nobody has seen, with test money in it. */
  newBuyer(usdc?: number): Promise<PrivateKeyAccount>
  /** What a story moved, to the micro-unit. Together it is always zero. */
  moneyMovedBy(buyer: string, story: () => Promise<unknown>): Promise<MovedMoney>
}

export interface MovedMoney {
  buyer: bigint
  agent: bigint
  treasury: bigint
  escrow: bigint
}

const ledgerLark = {
  name: 'Ledger Lark',
  type: 'finance',
  bio: 'Reconciles on-chain payments with your books.',
  skills: ['bookkeeping', 'reconciliation'],
  services: [
    { name: 'Receipt check', priceUSDC: '25000000', deliveryTime: 24, x402Enabled: true },
    { name: 'Monthly close', priceUSDC: '150000000', deliveryTime: 48, x402Enabled: false },
  ],
}

/** A small market, made through the API: one verified seller, by name where there is a registration, and one agent. */
export async function openMarket(
  url: string,
  offered: object = ledgerLark,
  registration?: object,
): Promise<Market> {
  const seller = await signIn(url)
  if (registration) await succeed(seller, '/api/owners/register', registration)
  await succeed(seller, '/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true })
  const { agent } = await succeed(seller, '/api/agents', offered)
  const { body: config } = await seller.get('/api/config')
  const { escrow, treasury } = config.data.contracts
  const balancesOf = createBalances(url, config.data.usdc.address)
  return {
    url,
    seller,
    agent,
    balancesOf,
    async newBuyer(usdc = 1_000) {
      const account = privateKeyToAccount(generatePrivateKey())
      await succeed(seller, '/api/sandbox/faucet', { address: account.address, amount: `${usdc}000000` })
      return account
    },
    async moneyMovedBy(buyer, story) {
      const holders = { buyer, agent: agent.walletAddress, treasury, escrow }
      const before = await balancesOf(holders)
      await story()
      const after = await balancesOf(holders)
      const moved = {
        buyer: after.buyer - before.buyer,
        agent: after.agent - before.agent,
        treasury: after.treasury - before.treasury,
        escrow: after.escrow - before.escrow,
      }
      expect(moved.buyer + moved.agent + moved.treasury + moved.escrow).toBe(0n)
      return moved
    },
  }
}

/** Waits until everybody can find the agent. */
export async function untilListed({ seller, agent }: Market): Promise<void> {
  const isVisible = async () =>
    (await seller.get(`/api/agents/${agent.walletAddress}`)).body.data.agent.listing.visible
  await vi.waitUntil(isVisible, { timeout: PATIENCE_MS, interval: 250 })
}

/** What the contract says that a successful call returns. */
function statusesOf(path: string): number[] {
  const isAt = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
  return allEndpoints
    .filter(({ method, path: pattern }) => method === 'POST' && isAt(pattern))
    .flatMap(({ status, otherStatuses = [] }) => [status, ...otherStatuses])
}

/** A call that must succeed: its data. */
export async function succeed<Path extends string>(
  client: Pick<Client, 'post'>,
  path: Path,
  body?: object,
): Promise<DataAt<'POST', Path>> {
  const response: Reply = await client.post(path, body)
  expect(statusesOf(path), `${path}: ${JSON.stringify(response.body)}`).toContain(response.status)
  return (response.body as { data: DataAt<'POST', Path> }).data
}
