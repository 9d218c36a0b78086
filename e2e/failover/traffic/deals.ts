import { setTimeout as delay } from 'node:timers/promises'
import { signableOf } from '../../client.ts'
import { tellStory } from '../../steady/story.ts'
import { waitFor } from '../wait.ts'
import type { Pair } from './people.ts'

/** One caller has 100 requests a minute, and a story takes about five of each side. */
const STORY_EVERY_MS = 3_500
const PLAN_LIMIT_MS = 180_000
const WITHDRAWAL_EVERY = 3
const UPGRADE_EVERY = 5

/** Jobs on both rails, one after another, with withdrawals and larger plans in between, until the traffic is over. */
export async function deal(pair: Pair, number: number, isOver: () => boolean): Promise<void> {
  const { ledger, cast } = pair
  for (let count = 0; !isOver(); count += 1) {
    const pause = delay(STORY_EVERY_MS)
    try {
      ledger.told.push(await tellStory(cast, priceOf(number, count)))
      if (count % WITHDRAWAL_EVERY === WITHDRAWAL_EVERY - 1) await withdraw(pair, 10_000n + BigInt(count))
      if (count % UPGRADE_EVERY === UPGRADE_EVERY - 1) await enlarge(pair)
    } catch (error) {
      ledger.problems.push(`pair ${number}: ${error instanceof Error ? error.message : error}`)
    }
    await pause
  }
}

/** On both rails, none of them round, so that a lost or doubled payment cannot hide. */
function priceOf(pair: number, count: number): bigint {
  const seedMicro = BigInt(pair * 1_000_003 + count * 7_919)
  return count % 2 === 0 ? 1_000_000n + (seedMicro % 90_000_000n) : 100_000_000n + seedMicro
}

async function withdraw({ cast, ledger }: Pair, amountMicro: bigint): Promise<void> {
  const body = { agentId: cast.agentId, amount: String(amountMicro) }
  const reply = await cast.seller.post('/api/owners/withdrawals', body)
  if (reply.status !== 201)
    throw new Error(`withdraw returned ${reply.status}: ${JSON.stringify(reply.body)}`)
  ledger.withdrawals.push({ id: reply.body.data.id, amountMicro })
}

/** Subscribes, or raises the quota by one: a permission is signed, and charged once. */
export async function enlarge({ cast, ledger, payer }: Pair): Promise<void> {
  const { seller } = cast
  const agentQuota = ledger.quota === 0 ? 2 : ledger.quota + 1
  const query = `plan=AGENT_QUOTA&agentQuota=${agentQuota}&account=${payer.address}`
  const quote = await seller.get(`/api/owners/subscription/quote?${query}`)
  if (quote.status !== 200) throw new Error(`quote returned ${JSON.stringify(quote.body)}`)
  const { permission, typedData } = quote.body.data
  const signature = await payer.signTypedData(signableOf(typedData))
  const body = { plan: 'AGENT_QUOTA', agentQuota, permission, signature }
  const reply =
    ledger.quota === 0
      ? await seller.post('/api/owners/subscription/onchain', body)
      : await seller.post('/api/owners/subscription/onchain/upgrade', body)
  if (reply.status !== 201 && reply.status !== 202)
    throw new Error(`quota ${agentQuota} returned ${reply.status}: ${JSON.stringify(reply.body)}`)
  ledger.charges += 1
  ledger.quota = agentQuota
  if (reply.status === 202) await untilQuota(seller, agentQuota)
}

/** Accepted and not charged yet: the next one may be signed once it is. */
async function untilQuota(seller: Pair['cast']['seller'], agentQuota: number): Promise<void> {
  await waitFor(`quota ${agentQuota}`, PLAN_LIMIT_MS, async () => {
    await delay(2_000)
    const { status, body } = await seller.get('/api/owners/subscription')
    return status === 200 && body.data.agentQuota === agentQuota && body.data.status === 'ACTIVE'
  })
}
