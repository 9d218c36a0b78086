import type { SpendingKind } from '@agent-marketplace/contract'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SaveButton } from '../../components/buttons/SaveButton.tsx'
import { Field } from '../../components/forms/Field.tsx'
import { Select } from '../../components/forms/inputs.tsx'
import { PeriodFields, PeriodPresets } from '../../components/forms/Period.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Skeleton, TableSkeleton } from '../../components/page/Skeleton.tsx'
import { exportName, rangeOf } from '../../data/account/day-range.ts'
import { spendingQuery } from '../../data/account/spending.ts'
import { useNowMs } from '../../data/platform/clock.ts'
import { RequireOwner } from '../../session/gates.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { SpendingList } from './SpendingList.tsx'
import { SpendingTotals } from './SpendingTotals.tsx'
import { isSpendingKind, kindWords } from './spending-words.ts'

export function SpendingPage() {
  return (
    <RequireOwner what="your spending">
      <Spending />
    </RequireOwner>
  )
}

/** One filter for everything on it: totals, list and the file that can be saved. */
function Spending() {
  const search = useSearch({ from: '/spending' })
  const navigate = useNavigate({ from: '/spending' })
  const client = useClient()
  const range = rangeOf(search, useNowMs(60_000))
  const kind = isSpendingKind(search.kind) ? search.kind : undefined
  const { agentId } = search
  const filter = { ...range, ...(kind && { kind }), ...(agentId && { agentId }) }
  const list = useInfiniteQuery({ ...spendingQuery(client, filter), placeholderData: keepPreviousData })
  // The choice of agents stays the same whichever agent and kind the list is narrowed to.
  const whole = useInfiniteQuery({ ...spendingQuery(client, range), placeholderData: keepPreviousData })
  const agents = whole.data?.pages[0]?.summary.byAgent.map(({ agent }) => agent) ?? []
  const first = list.data?.pages[0]
  const set = (change: Partial<typeof search>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Spending"
        hint="What you paid for jobs, plans and verification, and what was refunded."
      />
      <PeriodPresets range={range} onChange={set} />
      <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[repeat(4,1fr)_auto]">
        <PeriodFields range={range} onChange={set} />
        <Field label="Kind" isRequired>
          <Select value={kind ?? ''} onChange={({ target }) => set({ kind: target.value })}>
            <option value="">Everything</option>
            {(Object.keys(kindWords) as SpendingKind[]).map((value) => (
              <option key={value} value={value}>
                {kindWords[value]}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Agent" isRequired>
          <Select value={agentId ?? ''} onChange={({ target }) => set({ agentId: target.value })}>
            <option value="">All agents</option>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
            {agentId && agents.every(({ id }) => id !== agentId) && (
              <option value={agentId}>The chosen agent</option>
            )}
          </Select>
        </Field>
        <SaveButton
          className="max-lg:col-span-2"
          read={() => client.exportSpending(filter)}
          type="text/csv"
          name={exportName('spending', range)}
        >
          Export CSV
        </SaveButton>
      </div>
      {first && (
        <>
          <SpendingTotals summary={first.summary} />
          <SpendingList list={list} total={first.total} />
        </>
      )}
      {!first && list.error && <ErrorState error={list.error} onRetry={list.refetch} />}
      {!first && !list.error && (
        <>
          <Skeleton className="h-28" />
          <TableSkeleton rows={8} />
        </>
      )}
    </div>
  )
}
