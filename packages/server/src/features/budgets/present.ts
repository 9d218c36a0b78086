import { type Budget, formatMicro } from '@agent-marketplace/contract'
import { leftOf, nextDayOf, nextMonthOf, type Sum } from './rules.ts'
import type { ReadBudget } from './service.ts'

export function presentBudget(budget: ReadBudget, now: Date): Budget {
  const { perJobMicro, perDayMicro, perMonthMicro, totalMicro, allowedAgents, allowedCategories, sums } =
    budget
  const cap = <Name extends string>(name: Name, micro: bigint | null) =>
    micro === null ? {} : { [name]: formatMicro(micro) }
  return {
    caps: {
      ...cap('perJob', perJobMicro),
      ...cap('perDay', perDayMicro),
      ...cap('perMonth', perMonthMicro),
      ...cap('total', totalMicro),
    },
    allowedAgents,
    allowedCategories,
    spending: {
      day: presentSum(sums.day, perDayMicro, nextDayOf(now)),
      month: presentSum(sums.month, perMonthMicro, nextMonthOf(now)),
      total: presentSum(sums.total, totalMicro, null),
    },
  }
}

const presentSum = (sum: Sum, capMicro: bigint | null, resetsAt: Date | null) => ({
  spent: formatMicro(sum.spentMicro),
  reserved: formatMicro(sum.reservedMicro),
  left: capMicro === null ? null : formatMicro(leftOf(capMicro, sum)),
  resetsAt: resetsAt?.toISOString() ?? null,
})
