import type { ActivityDay } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { DayBars } from '../../components/charts/DayBars.tsx'
import { Card, Section } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
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
  unit: string
  write: (amount: bigint) => string
  total: 'sum' | 'last'
}[] = [
  { measure: 'volume', title: 'Volume', unit: 'USDC', write: money, total: 'sum' },
  { measure: 'fees', title: 'Escrow fees', unit: 'USDC', write: money, total: 'sum' },
  { measure: 'buyers', title: 'Active buyers today', unit: 'Buyers', write: count, total: 'last' },
  { measure: 'sellers', title: 'Active sellers today', unit: 'Sellers', write: count, total: 'last' },
]

/** How the market did in the last 30 days. */
export function Activity() {
  const { data, error, refetch } = useQuery(activityQuery(useClient()))
  return (
    <Section title="The last 30 days" hint="By day, in UTC.">
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      <ul className="grid gap-4 sm:grid-cols-2">
        {charts.map(({ measure, title, unit, write, total }) => (
          <li key={measure}>
            {data ? (
              <Card>
                <DayBars
                  label={`${title} by day: ${write(totalOf(data, measure, total))}.`}
                  title={title}
                  figure={write(totalOf(data, measure, total))}
                  unit={unit}
                  along="Day, UTC"
                  isCount={write === count}
                  points={data.map((day) => ({
                    key: day.date,
                    label: dayText(day.date),
                    text: write(BigInt(day[measure])),
                    value: write === money ? Number(day[measure]) / 1_000_000 : Number(day[measure]),
                  }))}
                />
              </Card>
            ) : (
              <Skeleton className="h-60" />
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
