import type { FastifyInstance } from 'fastify'
import type { Closer } from '../../data.ts'
import type { AppDeps } from '../../house/outside.ts'
import { loadSandboxSecrets } from '../../sandbox-secrets.ts'
import { startAgentPrograms } from './agent-programs.ts'
import { houseAgents } from './house-agents.ts'
import { haveAllListed } from './listed-store.ts'
import { openShops, sellerWalletOf } from './open-shops.ts'

/**
 * The house agents of a sandbox. Their programs start before the service and stop after it, so that no job is sent to a
 * closed door. They never stand in the way of a start: without them the sandbox works as it did.
 */
export async function openHouse(
  { config, db, log, wallClock }: Pick<AppDeps, 'config' | 'db' | 'log' | 'wallClock'>,
  closers: Closer[],
) {
  const programs = await startAgentPrograms(houseAgents, wallClock)
  closers.push(() => programs.close())
  const { chainSeed } = loadSandboxSecrets(config.dataDir)
  const areListed = () =>
    haveAllListed(
      db,
      houseAgents.map((agent) => sellerWalletOf(chainSeed, agent).address),
    )
  return {
    /**
     * Returns once all of them are listed, with what is to be called when the service listens. It points those that were
     * listed before to their programs: what is sent to them until then is sent again.
     */
    async openFor(http: FastifyInstance): Promise<() => void> {
      const open = () =>
        openShops({ http, programs, chainSeed }).catch((error) =>
          log.warn({ err: error }, 'the house agents could not be opened'),
        )
      if (await areListed().catch(() => false))
        return () => {
          const opening = open()
          closers.push(() => opening)
        }
      await open()
      return () => undefined
    },
  }
}
