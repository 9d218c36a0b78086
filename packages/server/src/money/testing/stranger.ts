import type { Block } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { sql } from '../../platform/db/sql.ts'
import type { PreparedCall } from '../../ports/chain/port.ts'
import type { Intent, IntentKind, NewIntent } from '../intents/intents.ts'
import { createKinds, type Kinds } from '../intents/kinds.ts'
import { MOST_BLOCKS_BEHIND } from './lying-node.ts'
import type { MoneyWorld } from './money-world-on.ts'
import { registerTestKinds } from './test-kinds.ts'

/** The calls of the test's kinds, for those who are not the engine. */
function kindsOf({ chaos }: MoneyWorld): Kinds {
  const kinds = createKinds()
  const register = <Payload>(kind: IntentKind<Payload>): void => kinds.register(kind)
  registerTestKinds({ intents: { register } }, chaos)
  return kinds
}

const prepare = (world: MoneyWorld, intent: Pick<Intent, 'kind' | 'payload'>): Promise<PreparedCall> =>
  kindsOf(world)
    .of(intent.kind)
    .prepare(intent as Intent)

/** Kinds that anybody may send who has seen the signature. */
const signedKinds = new Set(['test.deposit', 'test.withdrawal', 'test.pull'])

type Head = Pick<Block<bigint, false, 'latest'>, 'number' | 'hash'>

/** Someone who watches what others sign and sends it first, from an account of its own. */
export function createStranger(world: MoneyWorld, account: PrivateKeyAccount) {
  const { chaos } = world
  return {
    head: (): Promise<Head> => chaos.honestly(() => chaos.client.getBlock()),

    /** False for what only the operator may send, and when the weather swallowed it. */
    async sendFirst(intent: NewIntent): Promise<boolean> {
      if (!signedKinds.has(intent.kind)) return false
      const send = async () => world.execute(account, await prepare(world, intent))
      return (await chaos.honestly(send).catch(() => undefined)) !== undefined
    },
  }
}

export type Stranger = ReturnType<typeof createStranger>

/**
 * Intents that were rejected by a trial in the last round although the chain takes them: after the round, before it, and at
 * every block at which a node may have stood that was behind. A refusal by one of those blocks is true, and what it refused
 * for its time or its state was not wronged because the next block takes it. A fork within the round leaves open which chain
 * was asked, so nothing is found in such a round.
 */
export async function findFalseRejections(
  world: MoneyWorld,
  headBefore: Head,
): Promise<Record<string, unknown>[]> {
  const { db, chaos } = world
  const rejected = await db.rows<Intent>(sql`
    update intents set attempts = -1
    where status = 'REJECTED' and block_number is null and attempts <> -1 and kind not like '%.fillNonce'
    returning id, kind, key, payload, sender, reason`)
  const { number, hash } = headBefore
  const now = await chaos.honestly(() => chaos.client.getBlock({ blockNumber: number }))
  if (now.hash !== hash) return []
  const behind = Array.from({ length: MOST_BLOCKS_BEHIND + 1 }, (_, blocks) => number - BigInt(blocks))
  const places = [{}, ...behind.filter((block) => block >= 0n).map((blockNumber) => ({ blockNumber }))]
  const wronged: Record<string, unknown>[] = []
  for (const intent of rejected) {
    const { kind, key, reason, sender } = intent
    await chaos.honestly(async () => {
      const call = await prepare(world, intent)
      for (const at of places) {
        const trial = await chaos.chain.relay.simulate({ sender, call, gasLimit: 600_000n, ...at })
        if (trial.status !== 'ok') return
      }
      wronged.push({ kind, key, reason })
    })
  }
  return wronged
}
