import { formatMicro, railOf } from '@agent-marketplace/contract'
import type { JsonTypedData } from '../ports/chain/port.ts'
import { type Actor, signIn, type Wallet } from './actor.ts'
import { type ConsoleActs, createConsoleActs } from './console-acts.ts'
import { nameWallet } from './name-wallet.ts'
import { fundEscrow, x402Header } from './pay.ts'
import type { DemoPlan, PlannedAgent, PlannedJob } from './plan.ts'
import type { Stage } from './stage.ts'
import type { AdminStep, StoryStep } from './stories.ts'

/** What a buyer has left when the story is over. */
const POCKET_MONEY_MICRO = 2_500_000_000n

interface CreatedAgent {
  id: string
  walletAddress: string
  services: readonly { id: string; name: string }[]
}

export interface Cast {
  sellers: readonly Wallet[]
  buyers: readonly Wallet[]
  admin: Wallet
  /** As many owners of the Safe as a ruling needs. */
  arbiters: readonly Wallet[]
}

/** Plays the plan on the stage, slot by slot. What happens in one slot happens at once. */
export async function play(
  stage: Stage,
  plan: DemoPlan,
  cast: Cast,
  onSlot: (slot: number) => void,
): Promise<void> {
  const sellers = await signInAll(stage, cast.sellers)
  const buyers = await signInAll(stage, cast.buyers)
  const consoleActs = createConsoleActs(await signIn(stage.http, cast.admin), cast.arbiters)
  const agents = new Map<number, CreatedAgent>()
  const jobIds = new Map<PlannedJob, string>()
  const startMs = stage.clock.now().getTime()

  const actsOf = (slot: number): Promise<unknown>[] => [
    ...plan.agents.flatMap((agent, index) => (agent.joinSlot === slot ? [join(agent, index)] : [])),
    ...plan.jobs.filter((job) => movesIn(job, slot)).map((job) => move(job, slot)),
    ...plan.withdrawals
      .filter((withdrawal) => withdrawal.slot === slot)
      .map(({ agent, percent }) => withdraw(at(sellers, agent), agents.get(agent), percent)),
  ]

  const join = async (agent: PlannedAgent, index: number): Promise<void> => {
    agents.set(index, await openShop(at(sellers, index), agent))
  }

  const hire = async (job: PlannedJob): Promise<void> => {
    const client = at(buyers, job.buyer)
    const agent = agents.get(job.agent)
    if (!agent) throw new Error(`${job.title} is opened before its agent is there`)
    const { title, description, category, deadlineHours, input } = job
    const agreedPrice = formatMicro(job.priceMicro)
    const serviceId = agent.services.find(({ name }) => name === job.service)?.id
    const body = {
      agentId: agent.id,
      serviceId,
      title,
      description,
      category,
      agreedPrice,
      deadlineHours,
      input,
    }
    const paid = { payTo: agent.walletAddress, amountMicro: job.priceMicro }
    const isX402 = !railOf(job.rail).holdsMoney && job.isPaid
    const headers = isX402 ? await x402Header(stage, client.wallet, paid) : {}
    const created = await client.post<{
      jobId: string
      status: string
      paymentInfo: { message: string; typedData: JsonTypedData }
    }>('/api/jobs', body, headers)
    if (isX402 && created.status !== 'IN_PROGRESS')
      throw new Error(`“${job.title}” is not paid for: ${created.paymentInfo.message}`)
    if (railOf(job.rail).holdsMoney && job.isPaid)
      await fundEscrow(client, created.jobId, created.paymentInfo.typedData)
    jobIds.set(job, created.jobId)
  }

  const move = async (job: PlannedJob, slot: number): Promise<void> => {
    if (job.slot === slot) await hire(job)
    for (const step of job.steps) if (step.slot === slot) await act(job, step)
  }

  const act = async (job: PlannedJob, step: StoryStep): Promise<void> => {
    if (step.by === 'admin') return decide(consoleActs, jobIds.get(job) ?? '', step)
    const { by, verb, body, evidence } = step
    const actor = by === 'client' ? at(buyers, job.buyer) : at(sellers, job.agent)
    const stored = evidence && (await actor.post<{ uri: string }>('/api/files', { content: evidence }))
    await actor.post(`/api/jobs/${jobIds.get(job)}/${verb}`, {
      ...body,
      ...(stored ? { evidence: [stored.uri] } : {}),
    })
  }

  const dueSlots = new Set(plan.jobs.map(({ dueSlot }) => dueSlot))
  await stage.perform(
    plan.buyers.map(({ spendsMicro }, index) =>
      stage.faucet({
        address: at(buyers, index).wallet.address,
        amountMicro: spendsMicro + POCKET_MONEY_MICRO,
      }),
    ),
  )
  for (const [slot, seconds] of plan.slotSeconds.entries()) {
    onSlot(slot)
    const isDue = dueSlots.has(slot)
    if (!isDue && !isBusy(plan, slot)) continue
    const aheadSeconds = seconds - Math.floor((stage.clock.now().getTime() - startMs) / 1000)
    // The seconds of a slow machine count as well: the chain's own clock goes on while the story is played.
    if (aheadSeconds > 0) await stage.advanceTime(aheadSeconds)
    if (isDue) await stage.runDueWork()
    await stage.perform(actsOf(slot))
  }
  // All at once, so that they share a block.
  await Promise.all(
    [...agents].map(([index, { walletAddress }]) =>
      nameWallet(stage.chain, at(sellers, index), walletAddress),
    ),
  )
  await stage.countViews(
    plan.visits.flatMap(({ agent, seconds, part }) => {
      const day = new Date(startMs + seconds * 1000).toISOString().slice(0, 10)
      const agentId = agents.get(agent)?.id
      return agentId === undefined ? [] : [{ agentId, day, part }]
    }),
  )
}

function decide(acts: ConsoleActs, jobId: string, step: AdminStep): Promise<void> {
  return step.verb === 'rule' ? acts.rule(jobId, step.body) : acts.resolveFlag(jobId, step.body)
}

function movesIn(job: PlannedJob, slot: number): boolean {
  return job.slot === slot || job.steps.some((step) => step.slot === slot)
}

function isBusy(plan: DemoPlan, slot: number): boolean {
  return (
    plan.agents.some(({ joinSlot }) => joinSlot === slot) ||
    plan.withdrawals.some((withdrawal) => withdrawal.slot === slot) ||
    plan.jobs.some((job) => movesIn(job, slot))
  )
}

function signInAll(stage: Stage, wallets: readonly Wallet[]): Promise<Actor[]> {
  return Promise.all(wallets.map((wallet) => signIn(stage.http, wallet)))
}

/** Registers the company, verified as the sandbox allows, and lists its agent. */
async function openShop(seller: Actor, agent: PlannedAgent): Promise<CreatedAgent> {
  await seller.post('/api/owners/register', {
    entityType: 'COMPANY',
    entityName: agent.company,
    country: agent.country,
    email: `hello@${agent.company.toLowerCase().replace(/[^a-z]+/g, '-')}.example`,
  })
  await seller.post('/api/sandbox/kyc', { status: 'VERIFIED', feePaid: true })
  const { agent: created } = await seller.post<{ agent: Omit<CreatedAgent, 'services'> }>('/api/agents', {
    name: agent.agent,
    type: agent.trade.category,
    bio: agent.bio,
    skills: agent.skills,
    services: [agent.small, agent.large].map(({ name, price, hours, terms }) => ({
      name,
      priceUSDC: `${price}000000`,
      deliveryTime: hours,
      ...terms,
      x402Enabled: price < 100,
    })),
  })
  const { agent: read } = await seller.get<{ agent: CreatedAgent }>(`/api/agents/${created.walletAddress}`)
  return { ...created, services: read.services }
}

/** A share of what is there, in whole USDC; nothing when there is next to nothing. */
async function withdraw(seller: Actor, agent: CreatedAgent | undefined, percent: number): Promise<void> {
  if (!agent) return
  const { availableBalance } = await seller.get<{ availableBalance: string }>('/api/owners/me')
  const amount = ((BigInt(availableBalance) * BigInt(percent)) / 100_000_000n) * 1_000_000n
  if (amount > 0n)
    await seller.post('/api/owners/withdrawals', { agentId: agent.id, amount: amount.toString() })
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new RangeError(`the cast has nobody at ${index}`)
  return value
}
