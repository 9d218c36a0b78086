import { walletAccount } from '../../money/books/accounts.ts'
import { sql } from '../../platform/db/sql.ts'
import type { Scene } from './scene.ts'

interface FollowedPlant {
  /** What is changed, far from the record that then breaks the rule. */
  change: string
  message: string
  /** Writes what is right, and returns the write that breaks it. */
  prepare(scene: Scene): Promise<() => Promise<unknown>>
}

/** Breaches of rules about another record than the one that was written, or about one that is gone. */
export const followedPlants: readonly FollowedPlant[] = [
  {
    change: 'an event is deleted',
    message: 'The events in the books are those of the chain',
    async prepare({ db, world, agent, calls, client }) {
      await calls.hireAndFund(client, agent, '150000000')
      await world.runUntilIdle()
      return () => db.run(sql`delete from chain_events where name = 'JobFunded'`)
    },
  },
  {
    change: 'a logged payment is deleted',
    message: 'An agent’s count of logged payments is that of those that count, and these are on chain',
    async prepare({ db, addReport }) {
      const id = await addReport()
      return () => db.run(sql`delete from x402_transactions where id = ${id}`)
    },
  },
  {
    change: 'a logged payment is moved to another agent',
    message: 'An agent’s count of logged payments is that of those that count, and these are on chain',
    async prepare({ db, addReport }) {
      const id = await addReport()
      return () => db.run(sql`update x402_transactions set agent_id = 'anobody' where id = ${id}`)
    },
  },
  {
    change: 'an intent gets another request',
    message: 'An entry made by a transaction of ours names its intent and the intent’s request',
    async prepare({ db, post, newPlace, addTransaction }) {
      const { hash, intentId } = await addTransaction(7)
      await post(
        [
          ['outside:a', 5n],
          ['outside:world', -5n],
        ],
        { chain: { ...(await newPlace()), txHash: hash }, intentId },
      )
      return () => db.run(sql`update intents set request_id = 'another' where id = ${intentId}`)
    },
  },
  {
    change: 'a withdrawal is deleted',
    message: 'Every standing entry of a withdrawal or refund is of one that is known',
    async prepare({ db, post, addWithdrawal }) {
      const id = await addWithdrawal({ outcome: 'CONFIRMED', spend: 'SPENT' })
      await post(
        [
          ['outside:a', 5n],
          ['outside:world', -5n],
        ],
        { kind: 'withdrawal', intentId: id },
      )
      return () => db.run(sql`delete from withdrawals where id = ${id}`)
    },
  },
  {
    change: 'a posting is changed',
    message: 'Every journal entry sums to zero',
    async prepare({ db, post }) {
      const entryId = await post([
        ['outside:a', 5n],
        ['outside:world', -5n],
      ])
      return () =>
        db.transaction(async (tx) => {
          await tx.run(sql`alter table journal_postings disable trigger journal_postings_append_only`)
          await tx.run(
            sql`update journal_postings set amount_micro = 6 where entry_id = ${entryId} and account = 'outside:a'`,
          )
          await tx.run(sql`alter table journal_postings enable trigger journal_postings_append_only`)
        })
    },
  },
  ...[
    { change: 'an entry of earnings gets another kind', wrong: sql`kind = 'another'` },
    { change: 'an entry of earnings is marked as reversed', wrong: sql`is_reversed = true` },
  ].map(
    ({ change, wrong }): FollowedPlant => ({
      change,
      message:
        'What came into a wallet, or is claimed to have, is one entry of its earnings, and nothing else is',
      async prepare({ db, post }) {
        const entryId = await post([
          [walletAccount(`0x${'e7'.repeat(20)}`), 5n],
          ['outside:world', -5n],
        ])
        return () => db.run(sql`update earning_entries set ${wrong} where entry_id = ${entryId}`)
      },
    }),
  ),
  {
    change: 'an entry of spending gets another kind',
    message:
      'What the journal has about an owner’s money is one entry of their spending, and nothing else is',
    async prepare({ db, post, client }) {
      const entryId = await post(
        [
          ['outside:a', 5n],
          ['outside:world', -5n],
        ],
        { reference: { ownerId: client.ownerId } },
      )
      return () => db.run(sql`update spending_entries set kind = 'another' where entry_id = ${entryId}`)
    },
  },
]
