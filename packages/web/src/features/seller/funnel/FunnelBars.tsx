import { type FunnelTotal, funnelSteps, shareOfStep } from './funnel-steps.ts'

/** The steps as bars of one measure, each with its number and its share of the step before. */
export function FunnelBars({ total }: { total: FunnelTotal }) {
  const most = Math.max(1, ...funnelSteps.map(({ key }) => total[key]))
  return (
    <ol aria-label="Steps from view to completed job" className="flex flex-col gap-3 text-14">
      {funnelSteps.map(({ key, word }, index) => (
        <li
          key={key}
          className="grid gap-x-4 gap-y-1 sm:grid-cols-[10rem_minmax(0,1fr)_11rem] sm:items-center"
        >
          <span>{word}</span>
          <span aria-hidden className="h-6 rounded-[4px] bg-sunken max-sm:order-last">
            <span
              className="block h-full rounded-[4px] bg-chart-1"
              style={{ width: `${(total[key] / most) * 100}%` }}
            />
          </span>
          <span className="flex items-baseline gap-2">
            <span className="font-medium tabular-nums">{total[key].toLocaleString('en')}</span>
            <span className="text-12 text-ink-muted">{shareOfStep(total, index)}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
