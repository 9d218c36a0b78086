import { MICRO_PER_USDC } from '@agent-marketplace/contract'
import { type Static, Type } from 'typebox'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/db/database.ts'
import { sql } from '../../platform/db/sql.ts'
import type { ChainEventOf, ChainPort } from '../../ports/chain/port.ts'
import { createAccountOf, spenderAccount } from '../books/accounts.ts'
import { balanceOf, placeOf, postEntry } from '../books/journal.ts'
import type { IntentKind, Intents, Settlement } from '../intents/intents.ts'
import type { Roles } from './roles.ts'

/** Less is not worth its gas. */
export const SWEEP_FROM_MICRO = 10n * MICRO_PER_USDC

const KIND = 'treasury.sweep'
const GAS_LIMIT = 150_000n

const SweepPayload = Type.Object({ amountMicro: Type.String({ pattern: '^[1-9][0-9]*$' }) })
type SweepPayload = Static<typeof SweepPayload>

export interface SweepDeps {
  db: Database
  clock: Clock
  chain: Pick<ChainPort, 'facts' | 'usdc'>
  intents: Pick<Intents, 'create' | 'kick'>
  roles: Pick<Roles, 'holderOf'>
}

/**
 * Spend permissions pay the account that pulls. What has gathered there goes on to the treasury, once a day: the day is
 * the intent's key, so that several workers and any number of calls order it once.
 */
export function createSweep({ db, clock, chain, intents, roles }: SweepDeps) {
  const { spender } = chain.facts
  const accountOf = createAccountOf(chain.facts)

  const kind: IntentKind<SweepPayload> = {
    kind: KIND,
    payload: SweepPayload,
    sender: 'spender',
    gasLimit: GAS_LIMIT,
    amountMicro: ({ amountMicro }) => BigInt(amountMicro),
    paysFrom: spenderAccount,
    prepare: async ({ amountMicro }) =>
      chain.usdc.transfer({ to: await roles.holderOf('treasury'), amountMicro: BigInt(amountMicro) }),
    async onSettled(tx, intent, _payload, settlement) {
      const transfer = transferIn(settlement)
      await postEntry(tx, {
        kind: KIND,
        at: settlement.blockTime,
        postings: [
          { account: spenderAccount(), amountMicro: -transfer.amountMicro },
          { account: accountOf(transfer.to), amountMicro: transfer.amountMicro },
        ],
        intentId: intent.id,
        chain: placeOf(settlement, transfer),
      })
    },
  }

  function transferIn({ events, txHash }: Settlement): ChainEventOf<'UsdcTransferred'> {
    for (const event of events) {
      if (event.name === 'UsdcTransferred' && event.from.toLowerCase() === spender.toLowerCase()) return event
    }
    throw new Error(`the confirmed sweep ${txHash} moved nothing`)
  }

  return {
    intentKinds: [kind],

    /** To be called now and then; orders a sweep when there is enough and none was ordered today. */
    async runDue(): Promise<void> {
      const key = `${KIND}:${clock.now().toISOString().slice(0, 10)}`
      const amountMicro = await balanceOf(db, spenderAccount())
      if (amountMicro < SWEEP_FROM_MICRO) return
      await db.transaction(async (tx) => {
        const [earlier] = await tx.rows(sql`
          select 1 from intents where key = ${key} or (kind = ${KIND} and status in ('PENDING', 'SUBMITTED')) limit 1`)
        if (earlier !== undefined) return
        const payload: SweepPayload = { amountMicro: amountMicro.toString() }
        await intents.create(tx, { kind: KIND, key, payload, requestId: null, lane: KIND })
        tx.afterCommit(intents.kick)
      })
    },
  }
}
