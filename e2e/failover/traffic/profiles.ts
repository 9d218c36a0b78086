import { setTimeout as delay } from 'node:timers/promises'
import { createSteadyClient, type SteadyClient } from '../../steady/steady-client.ts'
import type { Api, Door } from './door.ts'
import type { Pair } from './people.ts'

/** With the story of its agent, a seller stays below 100 requests a minute. */
const CHANGE_EVERY_MS = 4_000
/** At once only the primary can show a change; a second later a replica does. */
const LATER_MS = 1_000

/** Changes the profile of the seller's agent again and again, and reads each change back at every API process. */
export async function changeProfile(
  pair: Pair,
  apis: readonly Api[],
  door: Door,
  isOver: () => boolean,
): Promise<void> {
  const { cast, ledger, agentWallet, addressOf } = pair
  const readers = await Promise.all(
    apis.map((api) =>
      createSteadyClient({
        wallet: cast.seller.wallet,
        figures: ledger.figures,
        send: (path, init) => door.sendTo(api, addressOf.seller, path, init),
        beforeRepeat: door.beforeRepeat,
      }),
    ),
  )
  while (!isOver()) {
    const pause = delay(CHANGE_EVERY_MS)
    const version = ledger.profile.version + 1
    try {
      const changed = await cast.seller.patch(`/api/agents/${agentWallet}`, { bio: bioOf(version) })
      if (changed.status !== 200) throw new Error(`change ${version} returned ${changed.status}`)
      ledger.profile.version = version
      // In turn, so that each process is both the first and the later one.
      for (const step of readers.keys()) {
        if (step > 0) await delay(LATER_MS)
        await readBack(pair, readers[(version + step) % readers.length] as SteadyClient)
      }
    } catch (error) {
      ledger.problems.push(`profile of ${agentWallet}: ${error instanceof Error ? error.message : error}`)
    }
    await pause
  }
}

async function readBack({ agentWallet, ledger: { profile } }: Pair, reader: SteadyClient): Promise<void> {
  const shown = await readVersion(reader, agentWallet)
  profile.reads += 1
  if (shown < profile.version)
    profile.stale.push(`${agentWallet} was shown version ${shown} after ${profile.version}`)
}

/** The version of the profile that this reader is shown; 0 where it was never changed. */
export async function readVersion(reader: SteadyClient, agentWallet: string): Promise<number> {
  const { status, body } = await reader.get(`/api/agents/${agentWallet}`)
  if (status !== 200) throw new Error(`${agentWallet} returned ${status}`)
  return Number(/version (\d+)/.exec(body.data.description)?.[1] ?? 0)
}

const bioOf = (version: number): string => `Delivers, whatever happens, in version ${version}.`
