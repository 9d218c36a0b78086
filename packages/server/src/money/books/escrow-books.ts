import type { Transaction } from '../../platform/db/transaction.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import type { Alert } from '../audit/alert.ts'
import { type EventBlock, findEvent, type StoredEvent } from '../following/event-store.ts'
import { createRoles } from '../roles/roles.ts'
import { createAccountOf, escrowAccount, owedAccount } from './accounts.ts'
import { type NewEntry, postEntry } from './journal.ts'
import { setAsideJob } from './set-aside.ts'

/** The intent and request behind a transaction of ours; empty for what others did on chain by themselves. */
export interface Origin {
  intentId?: string | undefined
  requestId?: string | undefined
}

/**
 * The job of ours that has this key on chain. Anybody may fund a job in the escrow and name one of our ids in it: only the
 * key commits to all terms.
 */
export type JobIdOf = (tx: Transaction, key: string) => Promise<string | undefined>

export interface EscrowBooksDeps {
  facts: ChainPort['facts']
  jobIdOf: JobIdOf
  alert: Alert
}

/**
 * What the escrow's events mean in money. These entries need no feature: a deposit, its division, and payments that
 * the token refused to make and that wait for a claim.
 */
export function createEscrowBooks({ facts, jobIdOf, alert }: EscrowBooksDeps) {
  const accountOf = createAccountOf(facts)

  /** A node left its deposit out. That holds up nothing else; the mender looks for what is missing. */
  const setAside = async (
    tx: Transaction,
    { key }: { key: string },
    { number }: EventBlock,
  ): Promise<void> => {
    await setAsideJob(tx, { chainId: facts.chainId, key, blockNumber: number })
    tx.afterCommit(() => {
      void alert('JOB_SET_ASIDE', {
        key,
        closedBlock: number.toString(),
      })
    })
  }

  return async (tx: Transaction, { event, block }: StoredEvent, origin: Origin): Promise<void> => {
    const post = (entry: Pick<NewEntry, 'kind' | 'postings' | 'reference'>): Promise<string> =>
      postEntry(tx, {
        ...entry,
        ...origin,
        at: block.time,
        chain: {
          chainId: facts.chainId,
          txHash: event.transactionHash,
          logIndex: event.logIndex,
          blockNumber: block.number,
          blockHash: block.hash,
        },
      })

    switch (event.name) {
      case 'JobFunded': {
        const { client, amountMicro } = event.terms
        await post({
          kind: 'escrow.funded',
          postings: [
            { account: accountOf(client), amountMicro: -amountMicro },
            { account: escrowAccount(event.key), amountMicro },
          ],
          reference: { jobId: await jobIdOf(tx, event.key) },
        })
        break
      }
      case 'JobClosed': {
        const funded = await findEvent(tx, { name: 'JobFunded', subject: event.key })
        if (funded === undefined) {
          await setAside(tx, event, block)
          break
        }
        const { client, agentWallet, amountMicro } = funded.terms
        const treasury = await createRoles(tx, { facts }).holderOf('treasury', event)
        await post({
          kind: `escrow.${event.outcome}`,
          postings: [
            { account: escrowAccount(event.key), amountMicro: -amountMicro },
            { account: accountOf(agentWallet), amountMicro: event.sellerNetMicro },
            { account: accountOf(treasury), amountMicro: event.feeMicro },
            { account: accountOf(client), amountMicro: event.refundedMicro },
          ],
          reference: { jobId: await jobIdOf(tx, event.key) },
        })
        break
      }
      case 'PaymentDeferred':
        await post({
          kind: 'escrow.deferred',
          postings: [
            { account: accountOf(event.recipient), amountMicro: -event.amountMicro },
            { account: owedAccount(event.recipient), amountMicro: event.amountMicro },
          ],
        })
        break
      case 'PaymentClaimed':
        await post({
          kind: 'escrow.claimed',
          postings: [
            { account: owedAccount(event.recipient), amountMicro: -event.amountMicro },
            { account: accountOf(event.recipient), amountMicro: event.amountMicro },
          ],
        })
        break
      default:
    }
  }
}
