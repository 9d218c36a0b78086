import { addresses, chainOf } from '@agent-marketplace/chain'
import { createMarketplaceClient } from '@agent-marketplace/sdk'
import { createPublicClient, http } from 'viem'
import { toCoinbaseSmartAccount } from 'viem/account-abstraction'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { signMessage } from '../../../packages/server/src/ports/kyc/webhook.ts'
import { createSteadyClient, type SteadyClient } from '../../steady/steady-client.ts'
import type { Cast } from '../../steady/story.ts'
import { type Outside, PUBLIC_URL } from '../services/outside.ts'
import { waitFor } from '../wait.ts'
import type { Door } from './door.ts'
import { type Ledger, newLedger } from './ledger.ts'

export const BUYER_FUNDS_MICRO = 10n ** 13n
export const SELLER_FUNDS_MICRO = 1_000_000_000n
export const PAYER_FUNDS_MICRO = 10_000_000_000n
const APPROVAL_LIMIT_MS = 60_000
const CHAIN_ID = 31_337

/** A smart account, which alone can be pulled from. */
export type Payer = Awaited<ReturnType<typeof toCoinbaseSmartAccount>>

/** A buyer and a seller who deal with each other and nobody else. */
export interface Pair {
  cast: Cast
  ledger: Ledger
  agentWallet: string
  payer: Payer
  /** Client addresses, by which those who have not signed in are counted. */
  addressOf: { buyer: string; seller: string }
}

interface Deps {
  door: Door
  outside: Outside
  number: number
}

export async function createPair({ door, outside, number }: Deps): Promise<Pair> {
  const ledger = newLedger()
  const addressOf = { buyer: `10.1.0.${number + 1}`, seller: `10.2.0.${number + 1}` }
  const [buyerKey, sellerKey] = [newWallet(), newWallet()]
  await outside.faucet(buyerKey.address, BUYER_FUNDS_MICRO)
  await outside.faucet(sellerKey.address, SELLER_FUNDS_MICRO)
  const clientOf = (wallet: PrivateKeyAccount, address: string) =>
    createSteadyClient({
      wallet,
      figures: ledger.figures,
      send: (path, init) => door.send(address, path, init),
      beforeRepeat: door.beforeRepeat,
      onAcknowledged(path, body) {
        if (path === '/api/jobs') ledger.hired.push((body as { data: { jobId: string } }).data.jobId)
      },
    })
  const buyer = await clientOf(buyerKey, addressOf.buyer)
  const seller = await clientOf(sellerKey, addressOf.seller)
  await verify(seller, outside, (path, init) => door.send(addressOf.seller, path, init))
  const sdk = sdkOf(door, seller, addressOf.seller)
  await sdk.payKycFee()
  const agent = await sdk.createAgent({
    name: `Steady Stork ${number + 1}`,
    type: 'testing',
    bio: 'Delivers, whatever happens.',
    skills: [],
    services: [],
  })
  const wallet = agent.walletAddress
  await waitFor('the agent to be listed', APPROVAL_LIMIT_MS, async () => {
    const { status } = await buyer.get(`/api/agents/${wallet}`)
    return status === 200
  })
  const payer = await createPayer(outside, sellerKey)
  const config = (await buyer.get('/api/config')).body.data
  const now = () => Math.floor(Date.now() / 1000)
  return {
    cast: { buyer, seller, agentId: agent.id, chainId: config.chain.id, usdc: config.usdc, now },
    ledger,
    agentWallet: wallet,
    payer,
    addressOf,
  }
}

export const newWallet = () => privateKeyToAccount(generatePrivateKey())

/** The stock client, with the session of a steady one. */
export function sdkOf(door: Door, { token, wallet }: SteadyClient, address: string) {
  const base = 'http://service.invalid'
  return createMarketplaceClient({
    baseUrl: base,
    publicUrl: PUBLIC_URL,
    account: wallet,
    apiKey: token,
    retry: { attempts: 100, maxDelayMs: 2_000 },
    fetch: (input, init) => door.send(address, String(input).slice(base.length), init ?? {}),
  })
}

/** Registers, and lets the provider of identity checks decide, by its own signed message. */
async function verify(
  seller: SteadyClient,
  { webhookSecret, identify }: Outside,
  send: (path: string, init: RequestInit) => Promise<Response>,
): Promise<void> {
  const registered = await seller.post('/api/owners/register', {
    entityType: 'INDIVIDUAL',
    entityName: 'Steady Seller',
    country: 'GB',
    email: 'seller@example.com',
  })
  if (registered.status !== 200) throw new Error(`register returned ${JSON.stringify(registered.body)}`)
  const { owner, kycSessionId } = registered.body.data
  identify(kycSessionId)
  const { rawBody, headers } = signMessage(
    {
      type: 'applicantReviewed',
      applicantId: kycSessionId,
      externalUserId: owner.id,
      createdAtMs: new Date().toISOString().replace('T', ' ').replace('Z', ''),
      reviewResult: { reviewAnswer: 'GREEN' },
    },
    webhookSecret,
  )
  const decided = await send('/api/webhooks/kyc', {
    method: 'POST',
    headers: headers as Record<string, string>,
    body: Buffer.from(rawBody),
  })
  if (!decided.ok) throw new Error(`the decision returned ${decided.status}: ${await decided.text()}`)
}

async function createPayer({ rpcUrl, faucet }: Outside, owner: PrivateKeyAccount): Promise<Payer> {
  const client = createPublicClient({ chain: chainOf(CHAIN_ID), transport: http(rpcUrl) })
  const owners = [owner, addresses[CHAIN_ID].spendPermissionManager] as const
  const payer = await toCoinbaseSmartAccount({ client, owners: [...owners], version: '1.1' })
  await faucet(payer.address, PAYER_FUNDS_MICRO)
  return payer
}
