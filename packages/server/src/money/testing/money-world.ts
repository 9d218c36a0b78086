import { createTestDatabase } from '../../testing/test-database.ts'
import { createMoneyWorldOn, type MoneyWorld } from './money-world-on.ts'

export { type Alarm, impatient, type MoneyWorld, testAccount } from './money-world-on.ts'

/** For tests: with a database of its own. */
export async function createMoneyWorld(): Promise<MoneyWorld> {
  return createMoneyWorldOn(await createTestDatabase())
}
