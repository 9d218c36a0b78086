import { randomBytes } from 'node:crypto'
import { startDeal } from '../../features/jobs/testing/start-deal.ts'
import type { Account } from '../../money/books/accounts.ts'
import { type NewEntry, postEntry } from '../../money/books/journal.ts'
import { sql } from '../../platform/db/sql.ts'

export type Scene = Awaited<ReturnType<typeof openScene>>

export const newHash = (): `0x${string}` => `0x${randomBytes(32).toString('hex')}`

/** A world whose books are right, and the writes by which they are broken: plain rows, as a faulty program would write them. */
export async function openScene() {
  const deal = await startDeal()
  const { world, calls, client, agent } = deal
  const { db, chain, newId } = world
  const { chainId } = chain.facts
  await world.runUntilIdle()

  /** A place in the newest block that the books know. */
  const newPlace = async () => {
    const block = await db.one<{ blockNumber: bigint; blockHash: string }>(
      sql`select block_number, block_hash from chain_cursors where chain_id = ${chainId}`,
    )
    return { chainId, txHash: newHash(), logIndex: 0, ...block }
  }

  return {
    ...deal,
    db,
    chainId,
    newId,
    newPlace,

    hire: async (price: string): Promise<string> => (await calls.hire(client, agent, price)).jobId,

    post: (postings: [Account, bigint][], entry: Partial<NewEntry> = {}) =>
      db.transaction((tx) =>
        postEntry(tx, {
          kind: 'test',
          at: new Date(),
          ...entry,
          postings: postings.map(([account, amountMicro]) => ({ account, amountMicro })),
        }),
      ),

    async addEvent(
      name: string,
      subject: string | null,
      args: object,
      place?: Awaited<ReturnType<typeof newPlace>>,
    ) {
      const { txHash, logIndex, blockNumber, blockHash } = place ?? (await newPlace())
      await db.run(sql`
        insert into chain_events (chain_id, tx_hash, log_index, block_number, block_hash, block_time, name, subject, args)
        values (${chainId}, ${txHash}, ${logIndex}, ${blockNumber}, ${blockHash}, now(), ${name}, ${subject},
          ${sql.json(args)}::jsonb)`)
      return txHash
    },

    async addIntent(status: string, key = `test:${newHash()}`): Promise<string> {
      const id = newId()
      await db.run(sql`
        insert into intents (id, kind, key, payload, sender, finality, status)
        values (${id}, 'test', ${key}, '{}', 'operator', 'confirmed', ${status})`)
      return id
    },

    /** A mined transaction of ours, and its intent. */
    async addTransaction(nonce: number): Promise<{ intentId: string; hash: `0x${string}` }> {
      const [intentId, hash] = [newId(), newHash()]
      await db.transaction(async (tx) => {
        await tx.run(sql`
          insert into intents (id, kind, key, payload, sender, finality, status, tx_hash)
          values (${intentId}, 'test', ${`test:${hash}`}, '{}', 'operator', 'confirmed', 'SETTLED', ${hash})`)
        await tx.run(sql`
          insert into chain_transactions (chain_id, sender, nonce, intent_id, tx_hash, raw_transaction, gas, max_fee,
            priority_fee, call_to, call_data, status, due_at)
          values (${chainId}, '0xtest', ${nonce}, ${intentId}, ${hash}, '0x', 1, 1, 1, '0x', '0x', 'MINED', now())`)
        await tx.run(sql`
          insert into chain_transaction_hashes (chain_id, hash, sender, nonce, intent_id)
          values (${chainId}, ${hash}, '0xtest', ${nonce}, ${intentId})`)
      })
      return { intentId, hash }
    },

    async addWithdrawal({
      outcome,
      spend = 'RESERVED',
    }: {
      outcome: string | null
      spend?: string
    }): Promise<string> {
      const id = newId()
      await db.transaction(async (tx) => {
        await tx.run(sql`
          insert into intents (id, kind, key, payload, sender, finality, status, reason)
          values (${id}, 'withdrawal', ${`withdrawal:${id}:1`}, '{}', 'operator', 'confirmed', 'REJECTED', 'test')`)
        await tx.run(sql`
          insert into agent_spends (id, agent_id, purpose, amount_micro, status, reserved_at)
          values (${id}, ${agent.id}, 'withdrawal', 5, ${spend}, now())`)
        await tx.run(sql`
          insert into withdrawals (id, owner_id, agent_id, to_address, amount_micro, intent_id, outcome, created_at,
            authorization_nonce)
          values (${id}, ${agent.owner.ownerId}, ${agent.id}, '0xtest', 5, ${id}, ${outcome}, now(), ${newHash()})`)
      })
      return id
    },

    /** A logged payment that counts for a new agent. */
    async addReport(): Promise<string> {
      const [id, hash, { id: agentId }] = [newId(), newHash(), await world.newAgent(deal.seller)]
      await db.transaction(async (tx) => {
        await tx.run(sql`
          insert into x402_transactions (id, owner_id, agent_id, payee_owner_id, chain_id, tx_id, tx_key, payee_wallet,
            amount_micro, verification, counted, created_at)
          values (${id}, ${client.ownerId}, ${agentId}, ${deal.seller.ownerId}, ${chainId}, ${hash}, ${hash}, '0xtest', 5,
            'VERIFIED', true, now())`)
        await tx.run(sql`update agents set verified_x402_payments = 1 where id = ${agentId}`)
      })
      return id
    },

    /** A subscription of the client's, and its permission. */
    async addSubscription({
      allowance = '5',
      ownerId = client.ownerId,
      quota = 1,
      plan = 'AGENT_QUOTA',
    } = {}) {
      const [id, hash] = [newId(), newHash()]
      await db.transaction(async (tx) => {
        await tx.run(sql`
          insert into subscriptions (id, owner_id, plan, status, permission_hash, agent_quota, price_micro, created_at)
          values (${id}, ${client.ownerId}, ${plan}, 'CANCELED', ${hash}, 1, 5, now())`)
        await tx.run(sql`
          insert into spend_permissions (hash, subscription_id, owner_id, permission, signature, agent_quota, price_micro,
            created_at)
          values (${hash}, ${id}, ${ownerId}, ${sql.json({ allowance })}::jsonb, '0x', ${quota}, 5, now())`)
      })
      return { id, hash }
    },

    async addPull({ id, hash }: { id: string; hash: string }, amountMicro: bigint): Promise<void> {
      const pullId = newId()
      await db.transaction(async (tx) => {
        await tx.run(sql`
          insert into intents (id, kind, key, payload, sender, finality, status, reason)
          values (${pullId}, 'test', ${`pull:${pullId}`}, '{}', 'spender', 'confirmed', 'REJECTED', 'test')`)
        await tx.run(sql`
          insert into subscription_pulls (id, subscription_id, permission_hash, kind, period_start, period_end,
            amount_micro, status, intent_id, settled_at, created_at)
          values (${pullId}, ${id}, ${hash}, 'FIRST', 1, 2, ${amountMicro}, 'SETTLED', ${pullId}, now(), now())`)
      })
    },

    async addReview(jobId: string, rating = 5): Promise<void> {
      await db.run(sql`
        insert into reviews (id, job_id, agent_id, client_id, seller_id, rating, counted, created_at)
        select ${newId()}, id, agent_id, client_id, seller_id, ${rating}, true, now() from jobs where id = ${jobId}`)
    },

    async addBudget(jobId: string, perJobMicro: bigint | null): Promise<void> {
      const id = newId()
      await db.run(sql`
        insert into budgets (id, owner_id, per_job_micro, created_at)
        values (${id}, ${client.ownerId}, ${perJobMicro}, now())`)
      await db.run(
        sql`insert into budget_jobs (job_id, budget_id, counted_at) values (${jobId}, ${id}, now())`,
      )
    },
  }
}
