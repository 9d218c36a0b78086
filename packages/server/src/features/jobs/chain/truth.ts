import type { Transaction } from '../../../platform/db/transaction.ts'
import { saveTerms } from '../lifecycle/dispute-store.ts'
import { shareOf } from '../lifecycle/escrow-facts.ts'
import { type JobRow, withTruth } from '../lifecycle/job.ts'
import { saveJob } from '../lifecycle/store.ts'

/** Writes a job as it truly stands (see `withTruth`), and with it what stands in its dispute. */
export async function storeTruth(tx: Transaction, job: JobRow, at: Date): Promise<JobRow> {
  const truth = withTruth(job, at)
  await saveJob(tx, truth)
  const { escrowFacts: facts, openIntents, priceMicro } = truth
  if (facts === null || facts.undecidedAt === null || openIntents.length > 0) return truth
  const sellerBps = facts.sellerGross === null ? null : shareOf(BigInt(facts.sellerGross), priceMicro)
  await saveTerms(tx, { jobId: job.id, offer: facts.offer, sellerBps, at })
  return truth
}
