import { railOf } from '@agent-marketplace/contract'
import type { Conclusion, Confirmation, StepsToChain } from '../../house/steps.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Confirmations } from './chain/confirmation.ts'
import type { Actions, Ask } from './lifecycle/actions.ts'
import type { DeliveryBody } from './lifecycle/agreement.ts'
import { rolesOfCaller, unknownJob } from './lifecycle/decisions.ts'
import type { JobRow } from './lifecycle/job.ts'
import { orderIn } from './lifecycle/orders.ts'
import { findJob } from './lifecycle/store.ts'
import type { JobDetails } from './reading/detail-store.ts'
import type { Viewer } from './reading/present.ts'
import type { Refund } from './recourse/refunds.ts'

/** A party's request to move a job. */
export interface Wish extends Ask {
  caller: Viewer
}

/** A job as its move left it. */
export interface MovedJob {
  details: JobDetails
  /** What the move ordered on chain. */
  order?: string | undefined
  /** False while the chain may still reject it. */
  isConfirmed: boolean
}

export interface MovesParts {
  db: Database
  actions: Actions
  refund: Refund
  confirm: Confirmations['confirm']
  detailFor: (queryable: Queryable, jobId: string, viewer: Viewer) => Promise<JobDetails>
}

export type Move<Prepared = unknown> = StepsToChain<Prepared, MovedJob, Conclusion<MovedJob>>

/** What the parties do with a job. A move that can be overtaken before it reaches the chain is waited for. */
export function createMoves({ db, actions, refund, confirm, detailFor }: MovesParts) {
  /** Shows the job as the steps leave it. They return what they order on chain, where they order something. */
  function showing<Prepared>(
    { jobId, caller }: Wish,
    { prepare, decide, conclude }: StepsToChain<Prepared, string | undefined, Confirmation>,
  ): Move<Prepared> {
    return {
      prepare,
      async decide(tx, prepared) {
        const order = await decide(tx, prepared)
        return { details: await detailFor(tx, jobId, caller), order, isConfirmed: true }
      },
      async conclude(prepared, moved) {
        const status = await conclude(prepared, moved?.order)
        const isConfirmed = status !== 'PENDING'
        return { status, read: async () => ({ details: await detailFor(db, jobId, caller), isConfirmed }) }
      },
    }
  }

  function moveWith<Prepared>(
    wish: Wish,
    prepare: () => Promise<Prepared>,
    decide: (tx: Transaction, prepared: Prepared) => Promise<JobRow>,
  ): Move<Prepared> {
    return showing(wish, {
      prepare,
      decide: async (tx, prepared) => orderIn(await decide(tx, prepared)),
      conclude: (_prepared, order) => confirm(wish.jobId, order),
    })
  }

  const move = (wish: Wish, decide: (tx: Transaction) => Promise<JobRow>): Move =>
    moveWith(wish, async () => undefined, decide)

  return {
    move,

    deliver: (wish: Wish, body: DeliveryBody): Move =>
      moveWith(
        wish,
        () => actions.storeDelivery(wish, body),
        (tx, delivery) => actions.deliver(tx, wish, delivery),
      ),

    /** Out of the escrow, or from the wallet that an x402 payment went to. */
    async refund(wish: Wish, reason: string | undefined): Promise<Move> {
      const job = await findJob(db, wish.jobId)
      if (!job) throw unknownJob()
      rolesOfCaller(job, wish.caller)
      if (!railOf(job.paymentMethod).holdsMoney) return showing(wish, refund(wish, reason))
      return move(wish, (tx) => actions.plain(tx, wish, 'REFUND', reason))
    },
  }
}
