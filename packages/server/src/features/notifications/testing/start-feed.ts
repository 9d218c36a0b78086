import { startWorld } from '../../../testing/start-world.ts'
import { createTestClock } from '../../../testing/test-clock.ts'
import { told } from './start-notifications.ts'

/** A world whose owners are notified as features do it. */
export async function startFeed() {
  const world = await startWorld({ clock: createTestClock() })
  const { notify } = await world.startWorker()
  return {
    ...world,
    notify,

    /** Notifies the owner of each title, in transactions of their own and in this order. */
    async tell(ownerId: string, ...titles: string[]): Promise<void> {
      for (const title of titles) await world.db.transaction((tx) => notify(tx, told(ownerId, title)))
    },
  }
}

export type StartedFeed = Awaited<ReturnType<typeof startFeed>>
