import { startWorld, type WorldOptions } from '../../../testing/start-world.ts'
import { createOAuthCalls } from './oauth-calls.ts'

/** A world in which clients ask and people decide. */
export async function startOAuth(options: WorldOptions = {}) {
  const world = await startWorld(options)
  return { ...world, ...createOAuthCalls(world) }
}

export type TestOAuth = Awaited<ReturnType<typeof startOAuth>>
