import { usdcText } from '../../format/money.ts'
import { percentText } from '../../format/share.ts'
import { Money } from '../money/Money.tsx'

export interface ShareRow {
  key: string
  name: string
  /** Says more about the name, below it. */
  note: string | undefined
  micro: bigint
}

interface ShareBarsProps {
  title: string
  /** What the amounts are. */
  head: string
  /** Add up to the total. */
  rows: readonly ShareRow[]
  totalMicro: bigint
}

/** Parts of a sum as bars of one measure. It is a table: the figures stand beside each bar, and are read by everybody. */
export function ShareBars({ title, head, rows, totalMicro }: ShareBarsProps) {
  const most = Math.max(1, ...rows.map(({ micro }) => Number(micro)))
  return (
    <table className="w-full text-14">
      <caption className="pb-3 text-left text-16 font-medium">{title}</caption>
      <thead className="text-12 text-ink-faint">
        <tr>
          <th scope="col" className="pb-1 text-left font-medium">
            <span className="sr-only">Name</span>
          </th>
          <th scope="col" className="pb-1 pl-4 text-right font-medium whitespace-nowrap">
            {head}
          </th>
          <th scope="col" className="pb-1 pl-4 text-right font-medium">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, note, micro }) => (
          <tr key={key} title={`${name}: ${usdcText(micro)} USDC`}>
            <th scope="row" className="w-full py-1.5 text-left font-normal">
              <span className="flex flex-wrap items-baseline gap-x-2 wrap-anywhere">
                {name}
                {note && <span className="text-12 text-ink-muted">{note}</span>}
              </span>
              <span aria-hidden className="mt-1 block h-2 rounded-pill bg-sunken">
                <span
                  className="block h-full rounded-pill bg-chart-1"
                  style={{ width: `${(Number(micro) / most) * 100}%` }}
                />
              </span>
            </th>
            <td className="py-1.5 pl-4 text-right align-top">
              <Money micro={micro} hidesUnit />
            </td>
            <td className="py-1.5 pl-4 text-right align-top text-ink-muted tabular-nums">
              {percentText(micro, totalMicro) ?? '–'}
            </td>
          </tr>
        ))}
        {rows.length === 0 && (
          <tr>
            <td colSpan={3} className="py-6 text-center text-ink-muted">
              Nothing in these days
            </td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr className="border-t border-line font-medium">
          <th scope="row" className="pt-2 text-left font-medium">
            Total
          </th>
          <td className="pt-2 pl-4 text-right">
            <Money micro={totalMicro} hidesUnit />
          </td>
          <td />
        </tr>
      </tfoot>
    </table>
  )
}
