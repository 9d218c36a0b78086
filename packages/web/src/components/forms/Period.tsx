import { type DayRange, lastDays, MOST_DAYS, presets } from '../../data/account/day-range.ts'
import { useNowMs } from '../../data/platform/clock.ts'
import { cx } from '../../design/cx.ts'
import { daysBetween, isDay } from '../../format/day.ts'
import { Field } from './Field.tsx'
import { TextInput } from './inputs.tsx'

interface PeriodProps {
  range: DayRange
  onChange: (range: DayRange) => void
}

/** The periods that are requested most. */
export function PeriodPresets({ range, onChange }: PeriodProps) {
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
            onClick={() => onChange(preset)}
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

/** Its first and its last day, two fields of a form. */
export function PeriodFields({ range, onChange }: PeriodProps) {
  /** A first day after the last one moves the last one along, and the other way round. */
  const setDay = (end: keyof DayRange, day: string) => {
    if (!isDay(day)) return
    const next = { ...range, [end]: day }
    const days = daysBetween(next.startDate, next.endDate)
    onChange(days >= 1 && days <= MOST_DAYS ? next : { startDate: day, endDate: day })
  }
  return (
    <>
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
    </>
  )
}
