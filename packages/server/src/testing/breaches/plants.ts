import { MAX_AMOUNT_MICRO } from '@agent-marketplace/contract'
import { claimedAccount, walletAccount } from '../../money/books/accounts.ts'
import { sql } from '../../platform/db/sql.ts'
import { newHash, type Scene } from './scene.ts'

const X402 = '5000000'
const ESCROW = '150000000'
const big = (amount: bigint) => ({ bigint: amount.toString() })

/** Sets a column of a new job. */
const onJob =
  (price: string, change: (jobId: string) => ReturnType<typeof sql>) =>
  async ({ db, hire }: Scene): Promise<void> => {
    const jobId = await hire(price)
    await db.run(sql`update jobs set ${change(jobId)} where id = ${jobId}`)
  }

const onAgent =
  (change: ReturnType<typeof sql>) =>
  async ({ db, world, seller }: Scene): Promise<void> => {
    const { id } = await world.newAgent(seller)
    await db.run(sql`update agents set ${change} where id = ${id}`)
  }

/** How each rule is broken by one write, by its message. In the order of the rules: a later one may break an earlier one too. */
export const plants: Record<string, (scene: Scene) => Promise<unknown>> = {
  'The escrow holds and owes what the books say': ({ post }) =>
    post([
      [`escrow:${newHash()}`, 5n],
      ['outside:world', -5n],
    ]),
  'The roles in the books are those of the escrow': async ({ addEvent, newPlace, client }) =>
    addEvent(
      'RoleChanged',
      'arbiter',
      { role: 'arbiter', current: client.wallet.address },
      { ...(await newPlace()), logIndex: 99 },
    ),
  'The events in the books are those of the chain': async ({ db, world, agent, calls, client }) => {
    await calls.hireAndFund(client, agent, ESCROW)
    await world.runUntilIdle()
    const changed = await db.run(
      sql`update chain_events set is_canonical = false where name = 'JobFunded' and is_canonical`,
    )
    if (changed === 0) throw new Error('there is no event')
  },
  'Every transaction that the books call mined stands on the chain, in that block': async ({
    db,
    newPlace,
    addIntent,
  }) => {
    const { txHash, blockNumber, blockHash } = await newPlace()
    const id = await addIntent('SETTLED')
    await db.run(sql`
      update intents set tx_hash = ${txHash}, block_number = ${blockNumber}, block_hash = ${blockHash} where id = ${id}`)
  },
  'Every followed wallet holds what the books say': ({ post, agent }) =>
    post([
      [walletAccount(agent.wallet), 5n],
      ['outside:world', -5n],
    ]),
  'The kept balances are the sums of the postings': ({ db }) =>
    db.run(sql`update account_balances set amount_micro = amount_micro + 1`),

  'A job’s deposit is what was paid out of it plus what is still held': ({ addEvent }) =>
    addEvent('JobFunded', newHash(), { terms: { amountMicro: big(7n) } }),
  'A job pays out at most once': async ({ post }) => {
    const escrow = `escrow:${newHash()}`
    for (let count = 0; count < 2; count += 1)
      await post([
        [escrow, -5n],
        ['outside:world', 5n],
      ])
  },
  'The fee is two percent of what the seller earned, rounded down': ({ addEvent }) =>
    addEvent('JobClosed', newHash(), {
      sellerNetMicro: big(100n),
      feeMicro: big(50n),
      refundedMicro: big(0n),
    }),
  'An x402 payment carries no fee': ({ post }) =>
    post(
      [
        ['outside:a', 5n],
        ['outside:b', 5n],
        ['outside:world', -10n],
      ],
      { kind: 'x402' },
    ),
  'Every journal entry sums to zero': async ({ db, newId }) => {
    await db.run(sql`alter table journal_entries disable trigger journal_entries_balance`)
    await db.run(sql`alter table journal_postings disable trigger journal_postings_balance`)
    await db.run(sql`
      with entry as (insert into journal_entries (id, kind, at) values (${newId()}, 'test', now()) returning id)
      insert into journal_postings select id, 'outside:world', 5 from entry`)
    await db.run(sql`alter table journal_entries enable trigger journal_entries_balance`)
    await db.run(sql`alter table journal_postings enable trigger journal_postings_balance`)
  },
  'The database refuses to change the journal, checks that it balances, and notes what the audit has to see':
    ({ db }) => db.run(sql`drop trigger budget_jobs_noted_delete on budget_jobs`),
  'Every money event of the escrow has exactly one standing entry, and no other has': async ({
    post,
    newPlace,
  }) =>
    post(
      [
        ['outside:a', 5n],
        ['outside:world', -5n],
      ],
      { kind: 'escrow.funded', chain: await newPlace() },
    ),
  'An entry at the place of a transfer moves what the transfer moved, and stands in its block': async ({
    post,
    newPlace,
    addEvent,
  }) => {
    const chain = await newPlace()
    await addEvent('UsdcTransferred', null, { amountMicro: big(7n) }, chain)
    await post(
      [
        ['outside:a', 5n],
        ['outside:world', -5n],
      ],
      { chain },
    )
  },
  'A fact of the chain is counted once': async ({ db, newPlace, newId }) => {
    const { chainId, txHash, logIndex, blockNumber, blockHash } = await newPlace()
    for (const generation of [0, 1])
      await db.run(sql`
        with entry as (
          insert into journal_entries (id, kind, at, chain_id, tx_hash, log_index, block_number, block_hash, generation)
          values (${newId()}, 'test', now(), ${chainId}, ${txHash}, ${logIndex}, ${blockNumber}, ${blockHash}, ${generation})
          returning id)
        insert into journal_postings
        select id, posting.account, posting.amount from entry,
          (values ('outside:a', 5), ('outside:world', -5)) as posting (account, amount)`)
  },
  'An entry made by a transaction of ours names its intent and the intent’s request': async ({
    post,
    newPlace,
    addTransaction,
  }) => {
    const { hash } = await addTransaction(1)
    await post(
      [
        ['outside:a', 5n],
        ['outside:world', -5n],
      ],
      { chain: { ...(await newPlace()), txHash: hash } },
    )
  },
  'The block of every standing entry is known': async ({ post, newPlace }) =>
    post(
      [
        ['outside:a', 5n],
        ['outside:world', -5n],
      ],
      { chain: { ...(await newPlace()), blockHash: newHash() } },
    ),
  'An intent takes effect at most once, by the one transaction that it names': ({ addIntent }) =>
    addIntent('SETTLED'),
  'What is submitted has exactly one live transaction, and what has one is submitted': ({ addIntent }) =>
    addIntent('SUBMITTED'),
  'Nothing was sent that is not stored, and no nonce is missing before one that waits': ({ db }) =>
    db.run(sql`update chain_signers set next_nonce = next_nonce + 1`),

  'Each job’s fee follows from its price and rail, and fee and net are the price': onJob(
    X402,
    () => sql`fee_micro = 1, net_micro = price_micro - 1`,
  ),
  'Each job’s rail follows from its price as a number, and from buyer protection below the threshold': onJob(
    X402,
    () => sql`buyer_protection = true`,
  ),
  'No job’s price is outside what an amount may be': onJob(
    X402,
    () => sql`price_micro = ${MAX_AMOUNT_MICRO + 1n}, net_micro = ${MAX_AMOUNT_MICRO + 1n}`,
  ),
  'A job without an open order stands where the chain has it': onJob(
    ESCROW,
    () => sql`status = 'IN_PROGRESS'`,
  ),
  'The orders that a job waits for are open, and no others are': onJob(
    ESCROW,
    (jobId) => sql`open_intents = array[${jobId}]`,
  ),
  'A review counts only while its job counts, is paid out and not refunded': async ({ hire, addReview }) =>
    addReview(await hire(X402)),
  'An agent’s totals are those of the finished jobs and reviews that count': onAgent(sql`completed_jobs = 1`),
  'A job that is paid directly has a deadline': onJob(
    X402,
    () => sql`status = 'IN_PROGRESS', paid_at = now(), due_at = null`,
  ),
  'An agent is marked and withheld by its undelivered jobs, or with an agent of its owner that is':
    onAgent(sql`undelivered_jobs = 1`),
  'Only jobs that were paid for, not delivered and not refunded count as undelivered': onJob(
    X402,
    () => sql`undelivered = true`,
  ),

  'A claim stands once, for what was logged, while the chain does not show it; and is nobody’s money': ({
    post,
    agent,
  }) =>
    post(
      [
        [claimedAccount(agent.wallet), 5n],
        ['outside:claim:cnone', -5n],
      ],
      { kind: 'x402.claimed' },
    ),
  'An agent’s count of logged payments is that of those that count, and these are on chain':
    onAgent(sql`verified_x402_payments = 1`),

  'A confirmed withdrawal or refund has one standing entry of its amount, and no other has any': ({
    addWithdrawal,
  }) => addWithdrawal({ outcome: 'CONFIRMED', spend: 'SPENT' }),
  'Every standing entry of a withdrawal or refund is of one that is known': async ({ post, addIntent }) =>
    post(
      [
        ['outside:a', 5n],
        ['outside:world', -5n],
      ],
      { kind: 'withdrawal', intentId: await addIntent('REJECTED', `withdrawal:${newHash()}:1`) },
    ),
  'What is set aside for a withdrawal follows its outcome': ({ addWithdrawal }) =>
    addWithdrawal({ outcome: null, spend: 'RELEASED' }),
  'A refunded job has given its payer its price once, and no other job has given any': onJob(
    X402,
    () => sql`payer_wallet = '0xtest', refund_state = 'CONFIRMED', refunded_at = now()`,
  ),
  'A job waits for a refund while one is under way, and only then': onJob(
    X402,
    () => sql`payer_wallet = '0xtest', refund_state = 'PENDING'`,
  ),

  'A period is paid once, and never with more than was allowed': async ({ addSubscription, addPull }) =>
    addPull(await addSubscription(), 6n),
  'What the chain pulled through our permissions is what the books call settled': async ({
    addSubscription,
    addPull,
  }) => addPull(await addSubscription(), 5n),
  'The journal has one entry for each settled pull': async ({ addSubscription, addPull }) =>
    addPull(await addSubscription(), 5n),
  'The price is the signed allowance': ({ addSubscription }) => addSubscription({ allowance: '6' }),
  'A permission belongs to a subscription of the owner who handed it in': ({ addSubscription, stranger }) =>
    addSubscription({ ownerId: stranger.ownerId }),
  'A subscription says what its newest settled pull has paid for': ({ addSubscription }) =>
    addSubscription({ quota: 2 }),

  'What is held for a recipient is what the books say that the escrow owes it': ({ db }) =>
    db.run(sql`insert into held_payments (recipient, held_micro) values ('0xtest', 5)`),

  'An agent’s score is the one that its books give': onAgent(
    sql`score = 4.5, scored_at = date_trunc('milliseconds', now())`,
  ),
  'No job that the graph took out of an agent’s record is in a counted good review': async ({
    db,
    agent,
    hire,
    addReview,
  }) => {
    const jobId = await hire(X402)
    await addReview(jobId)
    await db.run(sql`
      insert into job_exclusions (job_id, agent_id, reason) values (${jobId}, ${agent.id}, 'SHARED_FUNDER')`)
    await db.run(sql`delete from agent_scores_due`)
  },

  'What the jobs of a budget have cost is what the books show as paid for them': async ({
    db,
    hire,
    addBudget,
  }) => {
    const jobId = await hire(X402)
    await addBudget(jobId, null)
    await db.run(sql`
      update jobs set status = 'IN_PROGRESS', paid_at = now(), due_at = now(), payer_wallet = '0xtest'
      where id = ${jobId}`)
  },
  'No job, day, month or whole of a budget costs more than its cap': async ({ hire, addBudget }) =>
    addBudget(await hire(X402), 1n),

  'What is kept of a day’s earnings is what the journal shows': ({ db, agent }) =>
    db.run(sql`
      insert into earning_days
      values (${walletAccount(agent.wallet)}, '2020-01-01', 'X402', '', false, 1, 5, 0, 0)`),
  'What is kept of a minute’s earnings is what the journal shows': ({ db, agent }) =>
    db.transaction(async (tx) => {
      const account = walletAccount(agent.wallet)
      await tx.run(sql`
        insert into earning_days values (${account}, '2020-01-02', 'X402', '', false, 1, 5, 0, 0, true)`)
      await tx.run(sql`
        insert into earning_minutes values (${account}, '2020-01-02T10:00:00Z', 'X402', '', false, 1, 5, 0, 0)`)
    }),
  'What came into a wallet, or is claimed to have, is one entry of its earnings, and nothing else is':
    async ({ db, post, agent }) => {
      const entryId = await post([
        [walletAccount(agent.wallet), 5n],
        ['outside:world', -5n],
      ])
      await db.run(sql`delete from earning_entries where entry_id = ${entryId}`)
    },

  'What is kept of a day’s spending is what the journal shows': ({ db, client }) =>
    db.run(sql`
      insert into spending_days
      values (${client.ownerId}, '2020-01-01', 'JOB', 'anobody', '-infinity', 1, 5, 0)`),
  'What is kept of a minute’s spending is what the journal shows': ({ db, client }) =>
    db.transaction(async (tx) => {
      const { ownerId } = client
      await tx.run(sql`
        insert into spending_days values (${ownerId}, '2020-01-02', 'JOB', 'anobody', '-infinity', 1, 5, 0, true)`)
      await tx.run(sql`
        insert into spending_minutes
        values (${ownerId}, '2020-01-02T10:00:00Z', 'JOB', 'anobody', '-infinity', 1, 5, 0)`)
    }),
  'What the journal has about an owner’s money is one entry of their spending, and nothing else is': async ({
    db,
    post,
    client,
  }) => {
    const entryId = await post(
      [
        ['outside:a', 5n],
        ['outside:world', -5n],
      ],
      { reference: { ownerId: client.ownerId } },
    )
    await db.run(sql`delete from spending_entries where entry_id = ${entryId}`)
  },
}
