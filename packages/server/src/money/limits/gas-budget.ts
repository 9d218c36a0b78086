import { AppError } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import { removeRows } from '../../platform/db/remove-rows.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Alert } from '../audit/alert.ts'

/** Gas that the service pays for what somebody asks for. */
export interface GasCharge {
  /** The owner who asks; the paying wallet where nobody is signed in. */
  account: string
  /** What it costs at most in an honest case, all that follows from it included. */
  gas: bigint
  /** Gas that this owner has paid for by a plan, on top of what everybody has. */
  paidFor?: bigint
}

export interface GasBudgetDeps {
  db: Queryable
  /** Real time: hours are those of the clock on the wall. */
  clock: Clock
  alert: Alert
  /** Per hour. */
  limits: { ownerGas: bigint; platformGas: bigint }
  /** Without it everything is counted and nothing refused. */
  isEnforced: boolean
}

const HOUR_SECONDS = 3600
const KEPT_SECONDS = 48 * HOUR_SECONDS
const PLATFORM = 'platform'
const ALARM_PERCENT = 80n

/**
 * What the service spends on gas for others. It promises: within an hour no owner, and all of them together, cause more
 * than their budget, however many ask at once and whatever restarts; what is refused, or comes to nothing, is not counted.
 */
export function createGasBudget({ db, clock, alert, limits, isEnforced }: GasBudgetDeps) {
  let refusals = 0
  const hourNow = (): Date => {
    const hourMs = HOUR_SECONDS * 1000
    return new Date(Math.floor(clock.now().getTime() / hourMs) * hourMs)
  }

  function refuse(budget: 'owner' | 'platform', limit: bigint, gas: bigint): never {
    refusals += 1
    const endsAtMs = addSeconds(hourNow(), HOUR_SECONDS).getTime()
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message: messages[budget],
      details: {
        budget,
        limitGas: limit.toString(),
        requiredGas: gas.toString(),
        retryAfterSeconds: Math.max(1, Math.ceil((endsAtMs - clock.now().getTime()) / 1000)),
      },
    })
  }

  return {
    /**
     * In the transaction that decides to spend it, which a refusal ends. Everybody takes the platform's row first, so
     * that nobody waits for somebody who waits for them.
     */
    async take(tx: Queryable, { account, gas, paidFor = 0n }: GasCharge): Promise<void> {
      const hour = hourNow()
      const used = await tx.rows<{ account: string; gas: bigint }>(sql`
        insert into gas_budget (account, hour, gas)
        values (${PLATFORM}, ${hour}, ${gas}), (${`owner:${account}`}, ${hour}, ${gas})
        on conflict (account, hour) do update set gas = gas_budget.gas + excluded.gas
        returning account, gas`)
      if (!isEnforced) return
      const ownerLimit = limits.ownerGas + paidFor
      for (const row of used) {
        if (row.account !== PLATFORM && row.gas > ownerLimit) refuse('owner', ownerLimit, gas)
      }
      for (const row of used) {
        if (row.account === PLATFORM && row.gas > limits.platformGas)
          refuse('platform', limits.platformGas, gas)
      }
    },

    /** What was taken in this hour by all together. */
    async usedGas(): Promise<bigint> {
      const row = await db.maybeOne<{ gas: bigint }>(
        sql`select gas from gas_budget where account = ${PLATFORM} and hour = ${hourNow()}`,
      )
      return row?.gas ?? 0n
    },

    limitGas: () => limits.platformGas,
    /** Since this process started. */
    refusals: () => refusals,

    /** The tick: once an hour it alarms when most of the budget is gone, and forgets hours that are long over. */
    async lookAfter(signal: AbortSignal): Promise<void> {
      const now = clock.now()
      const alarmed = await db.maybeOne<{ gas: bigint }>(sql`
        update gas_budget set alarmed_at = ${now}
        where account = ${PLATFORM} and hour = ${hourNow()} and alarmed_at is null
          and gas * 100 >= ${limits.platformGas}::bigint * ${ALARM_PERCENT}::bigint
        returning gas`)
      const where = sql`hour < ${addSeconds(now, -KEPT_SECONDS)}`
      await removeRows(db, { table: 'gas_budget', where }, signal)
      if (!alarmed) return
      await alert('GAS_BUDGET_LOW', {
        usedGas: alarmed.gas.toString(),
        limitGas: limits.platformGas.toString(),
      })
    },
  }
}

const messages = {
  owner: 'What you asked for in this hour has used up the gas that the service pays for one owner.',
  platform:
    'The gas that the service pays in an hour is used up. Nothing was sent; try again in the next one.',
}

export type GasBudget = ReturnType<typeof createGasBudget>
