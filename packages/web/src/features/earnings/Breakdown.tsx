import type { EarningsGroup } from '@agent-marketplace/contract'
import type { DataOf } from '@agent-marketplace/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { ShareBars } from '../../components/charts/ShareBars.tsx'
import { Card } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'

interface BreakdownProps {
  title: string
  query: UseQueryResult<DataOf<'getEarningsBreakdown'>>
}

/** As many rows as are read at a glance; the rest is one row, so that all of them add up to the total. */
const SHOWN = 8

const nameOf = ({ kind, agentName, serviceName }: EarningsGroup): string => {
  if (kind === 'AGENT') return agentName
  if (kind === 'CUSTOM') return 'Custom orders'
  if (kind === 'DIRECT') return 'Direct x402 payments'
  return serviceName ?? 'A service no longer offered'
}

/** Where the net earnings of the filter come from. */
export function Breakdown({ title, query: { data, error, refetch } }: BreakdownProps) {
  if (!data) return error && <ErrorState error={error} onRetry={refetch} />
  const shown = data.groups.slice(0, SHOWN)
  const others = data.groups.slice(SHOWN)
  const restMicro = others.reduce((sum, { totalNet }) => sum + BigInt(totalNet), BigInt(data.rest.totalNet))
  const rows = shown.map((group) => ({
    key: `${group.agentId} ${group.kind} ${group.serviceId ?? ''}`,
    name: nameOf(group),
    note: group.kind === 'AGENT' ? undefined : group.agentName,
    micro: BigInt(group.totalNet),
  }))
  if (restMicro > 0n) rows.push({ key: 'rest', name: 'All others', note: undefined, micro: restMicro })
  return (
    <Card>
      <ShareBars title={title} head="Net, USDC" rows={rows} totalMicro={BigInt(data.total.totalNet)} />
    </Card>
  )
}
