import { type OwnAgent, rails } from '@agent-marketplace/contract'
import { useNavigate } from '@tanstack/react-router'
import { SaveButton } from '../../components/buttons/SaveButton.tsx'
import { Field } from '../../components/forms/Field.tsx'
import { Select } from '../../components/forms/inputs.tsx'
import { PeriodFields, PeriodPresets } from '../../components/forms/Period.tsx'
import { LONG_PAUSE_MS } from '../../components/forms/useDraft.ts'
import { SearchField } from '../../components/lists/ListTools.tsx'
import { type DayRange, exportName } from '../../data/account/day-range.ts'
import type { EarningsFilter } from '../../data/account/owner.ts'
import { wordLimitNote } from '../../data/lists/searched-words.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import type { EarningsSearch } from './earnings-search.ts'

interface EarningsFiltersProps {
  search: EarningsSearch
  range: DayRange
  filter: EarningsFilter
  agents: readonly OwnAgent[]
}

/** Days, agent, rail and words. The address holds all of them. */
export function EarningsFilters({ search, range, filter, agents }: EarningsFiltersProps) {
  const client = useClient()
  const navigate = useNavigate({ from: '/sell/earnings' })
  const set = (change: EarningsSearch) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  return (
    <div className="flex flex-col gap-4">
      <PeriodPresets range={range} onChange={set} />
      <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[repeat(4,1fr)_minmax(12rem,1.5fr)_auto]">
        <PeriodFields range={range} onChange={set} />
        <Field label="Agent" isRequired>
          <Select value={search.agentId ?? ''} onChange={({ target }) => set({ agentId: target.value })}>
            <option value="">All agents</option>
            {agents.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Source" isRequired>
          <Select value={filter.source ?? ''} onChange={({ target }) => set({ source: target.value })}>
            <option value="">All sources</option>
            {rails.map(({ method, name }) => (
              <option key={method} value={method}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <div className="max-lg:col-span-2">
          <SearchField
            label="Search payments"
            placeholder="Job, agent, buyer"
            value={search.q ?? ''}
            onChange={(q) => set({ q })}
            noteOn={wordLimitNote}
            pauseMs={LONG_PAUSE_MS}
          />
        </div>
        <SaveButton
          className="max-lg:col-span-2"
          read={() => client.exportEarnings(filter)}
          type="text/csv"
          name={exportName('earnings', range)}
        >
          Export CSV
        </SaveButton>
      </div>
    </div>
  )
}
