import { AppError } from '@agent-marketplace/contract'
import type { MoneyEngine } from '../../money/engine.ts'
import type { AppDeps } from '../outside.ts'

/**
 * The time that what falls due goes by: that of the last block in the books, so that nothing is decided while a dispute or
 * a delivery that came in time is still unread. The sandbox's chain goes on while no block is mined: there it is the clock's
 * time as soon as the books are at the head.
 */
export function createTimeOfBooks(
  { sandbox, clock }: Pick<AppDeps, 'sandbox' | 'clock'>,
  money: Pick<MoneyEngine, 'bookedTime' | 'readOn'>,
): () => Promise<Date> {
  return async () => {
    if (sandbox?.chain && (await money.readOn())) return clock.now()
    const time = await money.bookedTime()
    if (time === undefined)
      throw new AppError('UNAVAILABLE', { message: 'The books do not follow the chain right now.' })
    return time
  }
}
