import type { FunnelOfAgent } from '@agent-marketplace/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Select } from '../../../components/forms/inputs.tsx'
import { type Column, DataTable } from '../../../components/lists/DataTable.tsx'
import { Card, Section } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { lastDays, presets } from '../../../data/account/day-range.ts'
import { funnelQuery } from '../../../data/account/owner.ts'
import { useNowMs } from '../../../data/platform/clock.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { FunnelBars } from './FunnelBars.tsx'
import { funnelSteps, shareOfStep } from './funnel-steps.ts'

const columns: readonly Column<FunnelOfAgent>[] = [
  { key: 'name', header: 'Agent', isTitle: true, cell: ({ name }) => name },
  ...funnelSteps.map(
    (step, index): Column<FunnelOfAgent> => ({
      key: step.key,
      header: step.word,
      align: 'right',
      cell: (agent) => {
        const share = shareOfStep(agent, index)
        return (
          <span className="tabular-nums">
            {agent[step.key].toLocaleString('en')}
            {share && <span className="block text-12 text-ink-muted">{share}</span>}
          </span>
        )
      },
    }),
  ),
]

/** How many who look at my agents hire them, and what becomes of it. */
export function Funnel() {
  const search = useSearch({ from: '/sell/' })
  const navigate = useNavigate({ from: '/sell/' })
  const { days } = presets.find((preset) => String(preset.days) === search.days) ?? presets[1]
  const range = lastDays(days, useNowMs(60_000))
  const { data, error, refetch } = useQuery({
    ...funnelQuery(useClient(), range),
    placeholderData: keepPreviousData,
  })
  return (
    <Section
      title="From views to hires"
      hint="Of those who look at your agents, how many hire them."
      actions={
        <Select
          aria-label="Days of the funnel"
          className="w-40"
          value={days}
          onChange={({ target }) =>
            navigate({
              search: (before) => ({ ...before, days: target.value }),
              replace: true,
              resetScroll: false,
            })
          }
        >
          {presets.map((preset) => (
            <option key={preset.days} value={preset.days}>
              {preset.label}
            </option>
          ))}
        </Select>
      }
    >
      {!data && (error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton className="h-64" />)}
      {data && (
        <Card>
          <FunnelBars total={data.total} />
          <p className="pt-4 text-12 text-pretty text-ink-muted">
            Each visitor counts once a day. Your own visits, your own jobs and known bots are left out. Jobs
            that programs order come without a view, so a step can exceed the one before it.
          </p>
        </Card>
      )}
      {data && data.agents.length > 1 && (
        <DataTable
          label="Funnel by agent"
          columns={columns}
          rows={data.agents}
          rowKey={({ agentId }) => agentId}
        />
      )}
    </Section>
  )
}
