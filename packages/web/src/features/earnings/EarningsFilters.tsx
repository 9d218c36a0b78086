import type { OwnAgent } from '@agent-marketplace/contract'
import { useNavigate } from '@tanstack/react-router'
import { Field } from '../../components/Field.tsx'
import { Select, TextInput } from '../../components/inputs.tsx'
import type { EarningsFilter } from '../../data/account/owner.ts'
import { useNowMs } from '../../data/platform/clock.ts'
import { cx } from '../../design/cx.ts'
import { daysBetween, isDay } from '../../format/day.ts'
import { ExportButton } from './ExportButton.tsx'
import { type DayRange, type EarningsSearch, lastDays, MOST_DAYS, presets } from './earnings-range.ts'

interface EarningsFiltersProps {
  search: EarningsSearch
  range: DayRange
  filter: EarningsFilter
  agents: readonly OwnAgent[]
}

/** Days, agent and rail. The address holds all of them. */
export function EarningsFilters({ search, range, filter, agents }: EarningsFiltersProps) {
  const navigate = useNavigate({ from: '/sell/earnings' })
  const set = (change: EarningsSearch) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false })
  /** A first day after the last one moves the last one along, and the other way round. */
  const setDay = (end: keyof DayRange, day: string) => {
    if (!isDay(day)) return
    const next = { ...range, [end]: day }
    const days = daysBetween(next.startDate, next.endDate)
    set(days >= 1 && days <= MOST_DAYS ? next : { startDate: day, endDate: day })
  }
  return (
    <div className="flex flex-col gap-4">
      <Presets range={range} onChoose={set} />
      <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-[repeat(4,1fr)_auto]">
        <Field label="From" isRequired>
          <TextInput
            type="date"
            value={range.startDate}
            onChange={({ target }) => setDay('startDate', target.value)}
          />
        </Field>
        <Field label="To" isRequired>
          <TextInput
            type="date"
            value={range.endDate}
            onChange={({ target }) => setDay('endDate', target.value)}
          />
        </Field>
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
            <option value="ESCROW">Escrow</option>
            <option value="X402">x402</option>
          </Select>
        </Field>
        <ExportButton filter={filter} range={range} />
      </div>
    </div>
  )
}

function Presets({ range, onChoose }: { range: DayRange; onChoose: (range: DayRange) => void }) {
  const nowMs = useNowMs(60_000)
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">Period</legend>
      {presets.map(({ days, label }) => {
        const preset = lastDays(days, nowMs)
        const isChosen = preset.startDate === range.startDate && preset.endDate === range.endDate
        return (
          <button
            key={days}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChoose(preset)}
            className={cx(
              'min-h-11 rounded-box px-3 text-14',
              isChosen ? 'bg-sunken font-medium' : 'text-ink-muted hover:bg-sunken hover:text-ink',
            )}
          >
            {label}
          </button>
        )
      })}
    </fieldset>
  )
}
