import { randomBytes } from 'node:crypto'
import { splitPrice, type X402Verification } from '@agent-marketplace/contract'
import {
  type Account,
  escrowAccount,
  owedAccount,
  treasuryAccount,
  walletAccount,
} from '../../../money/books/accounts.ts'
import { type NewEntry, postEntry, reverseEntry } from '../../../money/books/journal.ts'
import { sql } from '../../../platform/db/sql.ts'
import { startWorld } from '../../../testing/start-world.ts'
import { createTestClock } from '../../../testing/test-clock.ts'
import type { WorldOwner } from '../../../testing/world/world-people.ts'
import { bookClaim, releaseClaim } from '../../reported-payments/claims.ts'
import type { EarningAgent } from '../service.ts'

const client = `0x${'c1'.repeat(20)}`

/** A world with income in its books: entries are posted as the engine posts them. Today is 2026-11-15. */
export async function startEarnings() {
  const clock = createTestClock()
  const world = await startWorld({ clock })
  const { db, http, newId } = world
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
    ...world,

    async newAgent(
      owner: WorldOwner,
      name = 'Ledger Lark',
      serviceIds: string[] = [],
    ): Promise<EarningAgent> {
      const services = serviceIds.map((id) => ({ id, priceMicro: '150000000', deliveryHours: 24 }))
      const { id, wallet } = await world.newAgent(owner, { name, services })
      return { id, name, walletAddress: wallet }
    },

    /** A job that is ordered and not paid; returns its id. */
    async order(
      buyer: WorldOwner,
      { id: agentId }: EarningAgent,
      given: { title: string; serviceId?: string },
    ): Promise<string> {
      const { headers } = buyer
      const body = { agentId, description: 'All of it.', agreedPrice: '150000000', ...given }
      const response = await http.inject({ method: 'POST', url: '/api/jobs', headers, payload: body })
      if (response.statusCode !== 201) throw new Error(response.body)
      return response.json().data.jobId
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
        feeTo = treasuryAccount(),
      }: {
        at: Date
        priceMicro: bigint
        sellerShareMicro?: bigint
        kind?: string
        jobId?: string
        feeTo?: Account
      },
    ) {
      const { feeMicro, netMicro } = splitPrice(sellerShareMicro, 'ESCROW')
      return post({
        kind,
        at,
        postings: [
          { account: escrowAccount(`0x${jobId}`), amountMicro: -priceMicro },
          { account: walletAccount(walletAddress), amountMicro: netMicro },
          { account: feeTo, amountMicro: feeMicro },
          { account: walletAccount(client), amountMicro: priceMicro - sellerShareMicro },
        ],
        reference: { jobId },
      })
    },

    pay(
      { walletAddress }: EarningAgent,
      given: {
        at: Date
        amountMicro: bigint
        kind?: string
        txHash?: string
        jobId?: string
        payer?: string
      },
    ) {
      const { at, amountMicro, kind = 'x402', txHash, jobId, payer = client } = given
      return post({
        txHash,
        kind,
        at,
        postings: [
          { account: walletAccount(payer), amountMicro: -amountMicro },
          { account: walletAccount(walletAddress), amountMicro },
        ],
        reference: { jobId },
      })
    },

    /** A payment that the owner logs for its own agent; returns the record. */
    async logOwn(
      { ownerId }: WorldOwner,
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

    /** The entry so many times more, at other places of the chain, four to a second. */
    repeatEntry: (entryId: string, times: number) =>
      db.run(sql`
        with copies as (
          insert into journal_entries (id, kind, at, chain_id, tx_hash, log_index, block_number, block_hash)
          select overlay(e.id placing lpad(n::text, 8, '0') from 2 for 8), e.kind, e.at + n / 4 * interval '1 second',
            e.chain_id, e.tx_hash, n, e.block_number, e.block_hash
          from journal_entries e, generate_series(1, ${times}) n where e.id = ${entryId}
          returning id)
        insert into journal_postings (entry_id, account, amount_micro)
        select copies.id, p.account, p.amount_micro from copies, journal_postings p where p.entry_id = ${entryId}`),

    takeBack: (entryId: string) => db.transaction((tx) => reverseEntry(tx, entryId, 'reorganisation')),

    get: (headers: Record<string, string>, path: string) =>
      http.inject({ method: 'GET', url: `/api/owners/earnings${path}`, headers }),

    /** What the owner's profile says of it. */
    async profileOf({ headers }: WorldOwner): Promise<{ totalEarned: string; availableBalance: string }> {
      const { totalEarned, availableBalance } = (await http.inject({ url: '/api/owners/me', headers })).json()
        .data
      return { totalEarned, availableBalance }
    },
  }
}
