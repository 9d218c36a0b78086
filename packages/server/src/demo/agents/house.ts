import type { FastifyInstance } from 'fastify'
import type { Closer } from '../../data.ts'
import type { AppDeps } from '../../house/outside.ts'
import { loadSandboxSecrets } from '../../sandbox-secrets.ts'
import { startAgentPrograms } from './agent-programs.ts'
import { houseAgents } from './house-agents.ts'
import { openShops } from './open-shops.ts'

/**
 * The house agents of a sandbox. Their programs start before the service and stop after it, so that no job is sent to a
 * closed door. They never stand in the way of a start: without them the sandbox works as it did.
 */
export async function openHouse(
  { config, log, wallClock }: Pick<AppDeps, 'config' | 'log' | 'wallClock'>,
  closers: Closer[],
) {
  const programs = await startAgentPrograms(houseAgents, wallClock)
  closers.push(() => programs.close())
  return {
    async openFor(http: FastifyInstance): Promise<void> {
      try {
        const { chainSeed } = loadSandboxSecrets(config.dataDir)
        await openShops({ http, programs, chainSeed })
      } catch (error) {
        log.warn({ err: error }, 'the house agents could not be opened')
      }
    },
  }
}
