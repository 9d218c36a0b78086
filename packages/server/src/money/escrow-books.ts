import type { Transaction } from '../platform/db/transaction.ts'
import type { ChainPort } from '../ports/chain/port.ts'
import { createAccountOf, escrowAccount, owedAccount, treasuryAccount } from './accounts.ts'
import { findEvent, type StoredEvent } from './event-store.ts'
import { type NewEntry, postEntry } from './journal.ts'

/** The intent and request behind a transaction of ours; empty for what others did on chain by themselves. */
export interface Origin {
  intentId?: string | undefined
  requestId?: string | undefined
}

/**
 * What the escrow's events mean in money. These entries need no feature: a deposit, its division, and payments that
 * the token refused to make and that wait for a claim.
 */
export function createEscrowBooks({ facts, escrow }: Pick<ChainPort, 'facts' | 'escrow'>) {
  const accountOf = createAccountOf(facts)

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
        const { client, amountMicro, jobRef } = event.terms
        await post({
          kind: 'escrow.funded',
          postings: [
            { account: accountOf(client), amountMicro: -amountMicro },
            { account: escrowAccount(event.key), amountMicro },
          ],
          reference: { jobId: escrow.jobIdOf(jobRef) },
        })
        break
      }
      case 'JobClosed': {
        const funded = await findEvent(tx, { name: 'JobFunded', subject: event.key })
        if (funded === undefined) throw new Error(`job ${event.key} is closed and was never seen funded`)
        const { client, agentWallet, amountMicro, jobRef } = funded.terms
        await post({
          kind: `escrow.${event.outcome}`,
          postings: [
            { account: escrowAccount(event.key), amountMicro: -amountMicro },
            { account: accountOf(agentWallet), amountMicro: event.sellerNetMicro },
            { account: treasuryAccount(), amountMicro: event.feeMicro },
            { account: accountOf(client), amountMicro: event.refundedMicro },
          ],
          reference: { jobId: escrow.jobIdOf(jobRef) },
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
