import type { ActivityDay } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Card, Section } from '../../components/Card.tsx'
import { DayBars } from '../../components/DayBars.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { activityQuery } from '../../data/admin.ts'
import { dayText } from '../../format/day.ts'
import { usdcText } from '../../format/money.ts'
import { useClient } from '../../session/SessionProvider.tsx'

type Measure = Exclude<keyof ActivityDay, 'date'>

const money = (micro: bigint): string => `${usdcText(micro)} USDC`
const count = (amount: bigint): string => amount.toLocaleString('en')

const charts: readonly {
  measure: Measure
  title: string
  write: (amount: bigint) => string
  total: 'sum' | 'last'
}[] = [
  { measure: 'volume', title: 'Volume', write: money, total: 'sum' },
  { measure: 'fees', title: 'Escrow fees', write: money, total: 'sum' },
  { measure: 'buyers', title: 'Active buyers today', write: count, total: 'last' },
  { measure: 'sellers', title: 'Active sellers today', write: count, total: 'last' },
]

/** How the market did in the last 30 days. */
export function Activity() {
  const { data, error, refetch } = useQuery(activityQuery(useClient()))
  return (
    <Section title="The last 30 days" hint="By day, in UTC.">
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      <ul className="grid gap-4 sm:grid-cols-2">
        {charts.map(({ measure, title, write, total }) => (
          <li key={measure}>
            {data ? (
              <Card className="flex flex-col gap-3">
                <p className="flex items-baseline justify-between gap-4">
                  <span className="text-14 text-ink-muted">{title}</span>
                  <span className="font-mono tabular-nums">{write(totalOf(data, measure, total))}</span>
                </p>
                <DayBars
                  label={`${title} by day: ${write(totalOf(data, measure, total))}.`}
                  tone={measure === 'volume' || measure === 'fees' ? 'accent' : 'ink'}
                  points={data.map((day) => ({
                    key: day.date,
                    words: `${dayText(day.date)}: ${write(BigInt(day[measure]))}`,
                    value: Number(day[measure]),
                  }))}
                  ends={[dayText(data[0]?.date ?? ''), dayText(data.at(-1)?.date ?? '')]}
                />
              </Card>
            ) : (
              <Skeleton className="h-44" />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function totalOf(days: readonly ActivityDay[], measure: Measure, total: 'sum' | 'last'): bigint {
  const amounts = days.map((day) => BigInt(day[measure]))
  return total === 'last' ? (amounts.at(-1) ?? 0n) : amounts.reduce((sum, amount) => sum + amount, 0n)
}
