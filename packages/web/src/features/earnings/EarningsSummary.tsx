import { rails } from '@agent-marketplace/contract'
import type { DataOf } from '@agent-marketplace/sdk'
import { type EarningsPoint, sumPoints } from '../../components/charts/earnings-points.ts'
import { Money } from '../../components/money/Money.tsx'
import { Total } from '../../components/money/Total.tsx'
import { Card } from '../../components/page/Card.tsx'
import { type DayRange, rangeBefore } from '../../data/account/day-range.ts'
import { daysBetween, dayText } from '../../format/day.ts'
import { changeInWords } from './earnings-search.ts'

interface EarningsSummaryProps {
  summary: DataOf<'listEarnings'>['summary']
  /** How many payments are in it. */
  count: number
  range: DayRange
  /** The same days before; undefined where they could not be read. */
  before: readonly EarningsPoint[] | undefined
}

const feesOfRails = rails
  .toReversed()
  .map(
    ({ name, feeBps }) => `${feeBps === 0n ? 'none' : `${Number(feeBps) / 100}%`} of ${name.toLowerCase()}`,
  )
  .join(', ')

/** The totals of the filter, beside those of as many days before. */
export function EarningsSummary({ summary, count, range, before }: EarningsSummaryProps) {
  return (
    <Card padding="none">
      <dl className="grid divide-y divide-line sm:grid-cols-4 sm:divide-x sm:divide-y-0">
        <Total label="Net">
          <Money micro={summary.totalNet} className="text-20 font-semibold" />
          <Compared netMicro={BigInt(summary.totalNet)} range={range} before={before} />
          {summary.heldNet !== '0' && (
            <span className="text-12 text-ink-muted">
              <Money micro={summary.heldNet} /> held for claim: the token refuses the wallet
            </span>
          )}
        </Total>
        <Total label="Gross">
          <Money micro={summary.totalGross} className="text-20" />
        </Total>
        <Total label="Platform fees">
          <Money micro={summary.totalFees} className="text-20" />
          <span className="text-12 text-ink-muted">{feesOfRails}</span>
        </Total>
        <Total label="Payments">
          <span className="text-20">{count.toLocaleString('en')}</span>
          {summary.unverifiedNet !== '0' && (
            <span className="text-12 text-ink-muted">
              <Money micro={summary.unverifiedNet} /> that you logged is not verified on chain
            </span>
          )}
        </Total>
      </dl>
    </Card>
  )
}

function Compared({
  netMicro,
  range,
  before,
}: {
  netMicro: bigint
  range: DayRange
  before: readonly EarningsPoint[] | undefined
}) {
  if (!before) return <span className="h-4" />
  const { escrowMicro, x402Micro } = sumPoints(before)
  const beforeMicro = escrowMicro + x402Micro
  const { startDate, endDate } = rangeBefore(range)
  const days = daysBetween(startDate, endDate)
  const change = changeInWords(netMicro, beforeMicro)
  return (
    <span
      title={`${dayText(startDate, { hasYear: true })} to ${dayText(endDate, { hasYear: true })}`}
      className="text-12 text-ink-muted"
    >
      {change === undefined ? (
        `Nothing in the ${days} days before`
      ) : (
        <>
          <span className="font-medium text-ink">{change}</span> {change === 'as much' ? 'as' : 'against'}{' '}
          <Money micro={beforeMicro} /> in the {days} days before
        </>
      )}
    </span>
  )
}
