import type { Notice } from '../../../platform/notices/notice.ts'
import { signIn } from '../../../testing/sign-in.ts'
import { startWorld, type WorldOverrides } from '../../../testing/start-world.ts'
import { createTestClock } from '../../../testing/test-clock.ts'

/** A world that listens and whose owners are notified as features do it. */
export async function startFeed(overrides: WorldOverrides = {}) {
  const world = await startWorld({ clock: createTestClock(), ...overrides })
  const { notify } = await world.startWorker()
  const url = await world.http.listen({ port: 0, host: '127.0.0.1' })
  return {
    ...world,
    notify,
    streamUrl: `${url}/api/notifications/stream`,

    /** An owner, and a token to read with. */
    newReader: () => signIn(world.http),

    /** Notifies the owner of each title, in transactions of their own and in this order. */
    async tell(ownerId: string, ...titles: string[]): Promise<void> {
      for (const title of titles) await world.db.transaction((tx) => notify(tx, told(ownerId, title)))
    },

    /** How many streams are open, as the metrics show it. */
    async countStreams(): Promise<number> {
      const { body } = await world.http.inject({ url: '/metrics' })
      return Number(body.match(/^notification_streams (\d+)$/m)?.[1])
    },
  }
}

export type StartedFeed = Awaited<ReturnType<typeof startFeed>>

export function told(ownerId: string, title: string): Notice {
  return { ownerId, type: 'SYSTEM_ALERT', title, message: `About ${title}.` }
}
