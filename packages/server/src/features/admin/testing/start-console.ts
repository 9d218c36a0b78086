import type { AccountStatus } from '@agent-marketplace/contract'
import { sql } from '../../../platform/db/sql.ts'
import { PATIENCE_MS } from '../../../testing/patience.ts'
import { newWallet } from '../../../testing/sign-in.ts'
import { adminWallet, startWorld, type World, type WorldOverrides } from '../../../testing/start-world.ts'

type Headers = Record<string, string>

/** A world with two admins, who act over HTTP. */
export async function startConsole({ environment, ...overrides }: WorldOverrides = {}) {
  const otherAdmin = newWallet()
  const world = await startWorld({
    settlementWaitMs: PATIENCE_MS,
    ...overrides,
    environment: { ...environment, ADMIN_WALLETS: `${adminWallet.address},${otherAdmin.address}` },
  })

  return {
    ...world,
    newAdmin: (accountStatus: AccountStatus = 'ACTIVE') =>
      world.newOwner({ wallet: adminWallet, accountStatus }),
    newOtherAdmin: (accountStatus: AccountStatus = 'ACTIVE') =>
      world.newOwner({ wallet: otherAdmin, accountStatus }),

    ...createConsoleCalls(world),
  }
}

export type TestConsole = Awaited<ReturnType<typeof startConsole>>

/** What admins do, and the log of it. */
export const createConsoleCalls = ({ db, http }: Pick<World, 'db' | 'http'>) => ({
  get: (path: string, headers: Headers) => http.inject({ url: `/api/admin${path}`, headers }),
  post: (path: string, headers: Headers, payload?: object) =>
    http.inject({ method: 'POST', url: `/api/admin${path}`, headers, ...(payload && { payload }) }),

  /** Everything in the log about one thing, oldest first. */
  entriesOf: (subjectId: string) =>
    db.rows<{ actorId: string | null; action: string; details: Record<string, unknown> }>(
      sql`select actor_id, action, details from audit_log where subject_id = ${subjectId} order by seq`,
    ),
})
