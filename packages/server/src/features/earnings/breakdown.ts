import type { EarningsGroup, getEarningsBreakdown } from '@agent-marketplace/contract'
import { formatMicro } from '@agent-marketplace/contract'
import type { ResponseOf } from '../../platform/http/call.ts'
import type { GroupRow } from './store.ts'

/** How many groups are returned by name. */
export const MAX_GROUPS = 50

/** What an agent earned by one service, by custom orders, or without a job; or all of it. */
export interface GroupOfEarnings
  extends Pick<EarningsGroup, 'kind' | 'agentId' | 'agentName' | 'serviceId' | 'serviceName'> {
  sums: Sums
}

interface Sums {
  count: number
  netMicro: bigint
  feeMicro: bigint
}

const nothing: Sums = { count: 0, netMicro: 0n, feeMicro: 0n }

const add = (one: Sums, other: Sums): Sums => ({
  count: one.count + other.count,
  netMicro: one.netMicro + other.netMicro,
  feeMicro: one.feeMicro + other.feeMicro,
})

const kindOf = ({ serviceId, hasJob }: GroupRow): EarningsGroup['kind'] => {
  if (serviceId !== null) return 'SERVICE'
  return hasJob ? 'CUSTOM' : 'DIRECT'
}

/** An agent has two accounts, for what the chain shows and for what is claimed: both are one group. Highest net first, equals by name. */
export function groupEarnings(
  rows: readonly GroupRow[],
  by: 'agent' | 'service',
  agentOf: (account: string) => { id: string; name: string } | undefined,
): GroupOfEarnings[] {
  const groups = new Map<string, GroupOfEarnings>()
  for (const row of rows) {
    const agent = agentOf(row.account)
    if (!agent) continue
    const { serviceId, serviceName } = row
    const kind = by === 'agent' ? 'AGENT' : kindOf(row)
    const key = `${agent.id} ${kind} ${serviceId ?? ''}`
    const sums = { count: Number(row.count), netMicro: row.netMicro, feeMicro: row.feeMicro }
    const before = groups.get(key)
    groups.set(key, {
      kind,
      agentId: agent.id,
      agentName: agent.name,
      serviceId,
      serviceName,
      sums: before ? add(before.sums, sums) : sums,
    })
  }
  const sorted = [...groups].toSorted(([key, one], [otherKey, other]) => {
    if (one.sums.netMicro !== other.sums.netMicro) return one.sums.netMicro < other.sums.netMicro ? 1 : -1
    return one.agentName.localeCompare(other.agentName, 'en') || (key < otherKey ? -1 : 1)
  })
  return sorted.map(([, group]) => group)
}

export function presentBreakdown(
  groups: readonly GroupOfEarnings[],
): ResponseOf<typeof getEarningsBreakdown> {
  const sumsOf = (some: readonly GroupOfEarnings[]) =>
    presentSums(some.map(({ sums }) => sums).reduce(add, nothing))
  return {
    data: {
      groups: groups.slice(0, MAX_GROUPS).map(({ sums, ...group }) => ({ ...group, ...presentSums(sums) })),
      rest: sumsOf(groups.slice(MAX_GROUPS)),
      total: sumsOf(groups),
    },
  }
}

const presentSums = ({ count, netMicro, feeMicro }: Sums) => ({
  payments: count,
  totalGross: formatMicro(netMicro + feeMicro),
  totalFees: formatMicro(feeMicro),
  totalNet: formatMicro(netMicro),
})
