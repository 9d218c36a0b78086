import { AppError, type ReceiptCopy, railOf } from '@agent-marketplace/contract'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { ChainFacts } from '../../ports/chain/port.ts'
import { figuresOf, type ReceiptFigures } from './figures.ts'
import { findReceiptJob, listMovements, type ReceiptJob } from './store.ts'

export interface Viewer {
  ownerId: string
  isAdmin: boolean
}

export interface FoundReceipt {
  copy: ReceiptCopy
  job: ReceiptJob
  paidAt: Date
  clientName: string | null
  sellerName: string | null
  figures: ReceiptFigures
  chain: Pick<ChainFacts, 'chainId' | 'name'> & { token: string }
}

export interface ReceiptsDeps {
  db: Queryable
  facts: ChainFacts
}

/**
 * Receipts of paid jobs. It promises: only the two parties and admins read one; every amount is the books', so a receipt
 * says what the chain shows; a private person's name is on no copy but their own and an admin's.
 */
export function createReceiptsService({ db, facts }: ReceiptsDeps) {
  return {
    async find(jobId: string, viewer: Viewer): Promise<FoundReceipt> {
      const job = await findReceiptJob(db, jobId)
      const copy = job && copyOf(job, viewer)
      // The same response for a job of others and for one that never was.
      if (!job || !copy) throw new AppError('NOT_FOUND', { message: 'There is no such job.' })
      const movements = await listMovements(db, jobId)
      const paid = movements.find(({ paidMicro }) => paidMicro > 0n)
      if (!paid) throw new AppError('NOT_FOUND', { message: 'This job is not paid, so it has no receipt.' })
      return {
        copy,
        job,
        paidAt: paid.at,
        clientName: job.clientIsPerson && copy === 'SELLER' ? null : job.clientName,
        sellerName: job.sellerIsPerson && copy === 'CLIENT' ? null : job.sellerName,
        figures: figuresOf(movements, railOf(job.paymentMethod).holdsMoney),
        chain: { chainId: facts.chainId, name: facts.name, token: facts.contracts.usdc },
      }
    },
  }
}

export type ReceiptsService = ReturnType<typeof createReceiptsService>

/** A seller who hired their own agent sees all of it. */
function copyOf({ clientId, sellerId }: ReceiptJob, { ownerId, isAdmin }: Viewer): ReceiptCopy | undefined {
  if (ownerId === sellerId) return 'SELLER'
  if (ownerId === clientId) return 'CLIENT'
  return isAdmin ? 'ADMIN' : undefined
}
