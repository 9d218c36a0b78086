import { createTestDatabase } from './test-database.ts'
import { startWorldOn, type World, type WorldOptions } from './world/start-world-on.ts'

export type { Worker, World, WorldOptions, WorldOverrides } from './world/start-world-on.ts'
export { adminWallet } from './world/world-parts.ts'

/** For tests: a world with a database of its own. */
export const startWorld = async ({
  poolSize = 25,
  ...options
}: WorldOptions & { poolSize?: number } = {}): Promise<World> =>
  startWorldOn(await createTestDatabase({ poolSize }), options)
