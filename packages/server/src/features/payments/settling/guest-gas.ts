import { AppError } from '@agent-marketplace/contract'
import { addSeconds, type Clock } from '../../../platform/clock/clock.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { sql } from '../../../platform/db/sql.ts'

/** What the service pays in an hour for the gas of all wallets that are not signed in. */
export interface GuestGasLimit {
  gas: bigint
  isEnforced: boolean
}

/** In the transaction that takes the payment, which a refusal ends. */
export type TakeGuestGas = (tx: Queryable, gas: bigint) => Promise<void>

const HOUR_MS = 3_600_000

/**
 * A wallet costs nothing, so a budget for each of them bounds nobody: without an account, all of them share one. The others
 * have the rest of the hour to themselves, whatever comes from guests.
 */
export function createGuestGas(clock: Clock, { gas: limit, isEnforced }: GuestGasLimit): TakeGuestGas {
  return async (tx, gas) => {
    const now = clock.now()
    const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
    const used = await tx.one<{ gas: bigint }>(sql`
      insert into gas_budget (account, hour, gas) values ('guests', ${hour}, ${gas})
      on conflict (account, hour) do update set gas = gas_budget.gas + excluded.gas
      returning gas`)
    if (!isEnforced || used.gas <= limit) return
    const waitMs = addSeconds(hour, 3600).getTime() - now.getTime()
    throw new AppError('RATE_LIMIT_EXCEEDED', {
      message:
        'The gas that the service pays in an hour for wallets that are not signed in is used up. Nothing was sent. Sign in, or try again in the next hour.',
      details: {
        budget: 'guests',
        limitGas: limit.toString(),
        requiredGas: gas.toString(),
        retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
      },
    })
  }
}
