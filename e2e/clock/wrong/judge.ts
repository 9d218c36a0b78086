import { addresses } from '@agent-marketplace/chain'
import { type Address, createPublicClient, http, parseAbiItem } from 'viem'
import type { Pair } from '../../failover/traffic/people.ts'

const CHAIN_ID = 31_337
const transfer = parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)')

/** A delivered job and a paid plan, and when the next thing about each falls due. */
export interface Waiting {
  pair: Pair
  releaseDueAt: Date
  pullDueAt: Date
}

export interface Ledger {
  /** When the escrow paid the agent. */
  releases(waiting: Waiting): Promise<Date[]>
  /** When the plan was charged again. */
  renewals(waiting: Waiting): Promise<Date[]>
}

export interface Verdict {
  releases: number
  renewals: number
  earlyReleases: string[]
  /** Too many, or before they were due. */
  extraPulls: string[]
  missing: string[]
}

/** What happened, by the clock of the chain, which is right. */
export function createLedger(rpcUrl: string): Ledger {
  const client = createPublicClient({ transport: http(rpcUrl) })
  const timesOf = async (args: { from: Address; to?: Address }, { cast }: Pair): Promise<Date[]> => {
    const address = cast.usdc.address as Address
    const logs = await client.getLogs({ address, event: transfer, args, fromBlock: 0n })
    const blocks = await Promise.all(logs.map(({ blockNumber }) => client.getBlock({ blockNumber })))
    return blocks.map(({ timestamp }) => new Date(Number(timestamp) * 1000))
  }
  return {
    releases: ({ pair }) =>
      timesOf({ from: addresses[CHAIN_ID].escrow, to: pair.agentWallet as Address }, pair),
    async renewals({ pair }) {
      const [, ...renewals] = await timesOf({ from: pair.payer.address }, pair)
      return renewals
    },
  }
}

export async function judge(ledger: Ledger, waiting: Waiting): Promise<Verdict> {
  const releases = await ledger.releases(waiting)
  const renewals = await ledger.renewals(waiting)
  return {
    releases: releases.length,
    renewals: renewals.length,
    earlyReleases: earlier('released', releases, waiting.releaseDueAt),
    extraPulls: [
      ...(renewals.length > 1 ? [`renewed ${renewals.length} times`] : []),
      ...earlier('renewed', renewals, waiting.pullDueAt),
    ],
    missing: [
      ...(releases.length === 1 ? [] : [`released ${releases.length} times`]),
      ...(renewals.length === 0 ? ['not renewed'] : []),
    ],
  }
}

const earlier = (what: string, times: readonly Date[], dueAt: Date): string[] =>
  times
    .filter((time) => time < dueAt)
    .map((time) => `${what} at ${time.toISOString()}, due at ${dueAt.toISOString()}`)
