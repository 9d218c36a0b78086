import { randomBytes } from 'node:crypto'
import { splitPrice, type X402Verification } from '@agent-marketplace/contract'
import { escrowAccount, owedAccount, treasuryAccount, walletAccount } from '../../../money/books/accounts.ts'
import { type NewEntry, postEntry, reverseEntry } from '../../../money/books/journal.ts'
import { sql } from '../../../platform/db/sql.ts'
import { createIdSource } from '../../../platform/id/id.ts'
import { createTestClock } from '../../../testing/test-clock.ts'
import { createTestDatabase } from '../../../testing/test-database.ts'
import { createTestHttp, tokenFor } from '../../../testing/test-http.ts'
import { bookClaim, releaseClaim } from '../../reported-payments/claims.ts'
import { earningsRoutes } from '../routes.ts'
import { createEarningsService, type EarningAgent } from '../service.ts'

const client = `0x${'c1'.repeat(20)}`

/** Earnings on a real database. Entries are posted as the engine posts them. */
export async function startEarnings() {
  const database = await createTestDatabase()
  const { db } = database
  const clock = createTestClock()
  const newId = createIdSource(clock)
  const agents = new Map<string, EarningAgent[]>()
  const earnings = createEarningsService({
    db,
    clock,
    agentsOf: async (ownerId) => agents.get(ownerId) ?? [],
    exportBatch: 3,
  })
  const http = await createTestHttp(earningsRoutes({ earnings }), { db, rateLimitsEnforced: false })
  let blocks = 0

  const post = async ({
    txHash = `0x${randomBytes(32).toString('hex')}`,
    ...entry
  }: Omit<NewEntry, 'chain'> & { txHash?: string | undefined }): Promise<{ id: string; txHash: string }> => {
    blocks += 1
    const place = { chainId: 31337, txHash, logIndex: 0, blockNumber: BigInt(blocks), blockHash: txHash }
    const id = await db.transaction((tx) => postEntry(tx, { ...entry, chain: place }))
    return { id, txHash }
  }

  return {
    db,
    clock,
    earnings,
    app: http.app,

    newOwner() {
      const ownerId = newId()
      agents.set(ownerId, [])
      return { ownerId, headers: { authorization: `Bearer ${tokenFor({ ownerId })}` } }
    },

    newAgent(ownerId: string, name = 'Ledger Lark'): EarningAgent {
      const agent = { id: newId(), name, walletAddress: `0x${randomBytes(20).toString('hex')}` }
      agents.get(ownerId)?.push(agent)
      return agent
    },

    /** The escrow pays a share of the job's price to the seller, less the fee, and the rest back. */
    closeJob(
      { walletAddress }: EarningAgent,
      {
        at,
        priceMicro,
        sellerShareMicro = priceMicro,
        kind = 'escrow.released',
        jobId = newId(),
      }: {
        at: Date
        priceMicro: bigint
        sellerShareMicro?: bigint
        kind?: string
        jobId?: string
      },
    ) {
      const { feeMicro, netMicro } = splitPrice(sellerShareMicro, 'ESCROW')
      return post({
        kind,
        at,
        postings: [
          { account: escrowAccount(`0x${jobId}`), amountMicro: -priceMicro },
          { account: walletAccount(walletAddress), amountMicro: netMicro },
          { account: treasuryAccount(), amountMicro: feeMicro },
          { account: walletAccount(client), amountMicro: priceMicro - sellerShareMicro },
        ],
        reference: { jobId },
      })
    },

    pay(
      { walletAddress }: EarningAgent,
      given: { at: Date; amountMicro: bigint; kind?: string; txHash?: string },
    ) {
      const { at, amountMicro, kind = 'x402', txHash } = given
      return post({
        txHash,
        kind,
        at,
        postings: [
          { account: walletAccount(client), amountMicro: -amountMicro },
          { account: walletAccount(walletAddress), amountMicro },
        ],
      })
    },

    /** A payment that the owner logs for its own agent; returns the record. */
    async logOwn(
      ownerId: string,
      { id: agentId, walletAddress }: EarningAgent,
      given: {
        at: Date
        amountMicro: bigint
        verification?: X402Verification
        txKey?: string
        namedLogIndex?: number
      },
    ): Promise<{ logId: string; txKey: string }> {
      const { at, amountMicro, verification = 'PENDING' } = given
      const txKey = given.txKey ?? `0x${randomBytes(32).toString('hex')}`
      const logId = newId()
      await db.transaction(async (tx) => {
        await tx.run(sql`
          insert into owners (id, wallet_address, created_at) values (${ownerId}, ${ownerId}, ${at})
          on conflict do nothing`)
        await tx.run(sql`
          insert into x402_transactions (id, owner_id, agent_id, payee_owner_id, chain_id, tx_id, tx_key, payee_wallet,
            amount_micro, verification, named_log_index, created_at)
          values (${logId}, ${ownerId}, ${agentId}, ${ownerId}, 31337, ${txKey}, ${txKey}, ${walletAddress},
            ${amountMicro}, ${verification}, ${given.namedLogIndex ?? null}, ${at})`)
        await bookClaim(tx, logId)
      })
      return { logId, txKey }
    },
    verify: (logId: string) =>
      db.transaction(async (tx) => {
        await tx.run(sql`update x402_transactions set verification = 'VERIFIED' where id = ${logId}`)
        await releaseClaim(tx, logId)
      }),

    /** A payment that the token refused waits outside the wallet until it is claimed. */
    defer({ walletAddress }: EarningAgent, { at, amountMicro }: { at: Date; amountMicro: bigint }) {
      const postings = [
        { account: walletAccount(walletAddress), amountMicro: -amountMicro },
        { account: owedAccount(walletAddress), amountMicro },
      ]
      return post({ kind: 'escrow.deferred', at, postings })
    },
    claim({ walletAddress }: EarningAgent, { at, amountMicro }: { at: Date; amountMicro: bigint }) {
      const postings = [
        { account: owedAccount(walletAddress), amountMicro: -amountMicro },
        { account: walletAccount(walletAddress), amountMicro },
      ]
      return post({ kind: 'escrow.claimed', at, postings })
    },
    withdraw({ walletAddress }: EarningAgent, { at, amountMicro }: { at: Date; amountMicro: bigint }) {
      const postings = [
        { account: walletAccount(walletAddress), amountMicro: -amountMicro },
        { account: walletAccount(client), amountMicro },
      ]
      return post({ kind: 'withdrawal', at, postings })
    },
    reserve: ({ id }: EarningAgent, amountMicro: bigint) =>
      db.run(sql`
        insert into agent_spends (id, agent_id, purpose, amount_micro, reserved_at)
        values (${newId()}, ${id}, 'withdrawal', ${amountMicro}, ${clock.now()})`),

    takeBack: (entryId: string) => db.transaction((tx) => reverseEntry(tx, entryId, 'reorganisation')),

    get: (headers: Record<string, string>, path: string) =>
      http.app.inject({ method: 'GET', url: `/api/owners/earnings${path}`, headers }),

    async close() {
      await http.close()
      await database.close()
    },
  }
}
