import type { BodyOf, JobDetail, MarketplaceClient } from '@agent-marketplace/sdk'
import { CommandError } from '../exit-codes.ts'
import type { Home } from '../home.ts'

export type Order = BodyOf<'createJob'>

/** One purchase, kept from before anything is sent until long after it: whatever stops the program, it goes on from here. */
export interface Purchase {
  key: string
  url: string
  /** What the user gave, to notice a key that is used for something else. */
  given: string
  order: Order
  /** Begun within the caps by a program: no person has agreed to its price. */
  isByProgram?: boolean
  jobId?: string
}

const keyShape = /^[A-Za-z0-9_-]{1,128}$/

export function checkKey(key: string): string {
  if (keyShape.test(key)) return key
  throw new CommandError('usage', '--key takes up to 128 letters, digits, “-” and “_”.')
}

const fileOf = (key: string): string => `purchases/${key}`

/** The purchase that this key began. */
export function findPurchase(home: Home, key: string, url: string): Purchase | undefined {
  const purchase = home.read<Purchase>(fileOf(key))
  if (purchase && purchase.url !== url)
    throw new CommandError('usage', `The key ${key} belongs to a purchase at ${purchase.url}.`)
  return purchase
}

/** Keeps a new one. Where another process has begun one with the same key meanwhile, that one is returned. */
export function beginPurchase(home: Home, purchase: Purchase): Purchase {
  try {
    home.writeNew(fileOf(purchase.key), purchase)
    return purchase
  } catch (error) {
    const begun = findPurchase(home, purchase.key, purchase.url)
    if (begun) return begun
    throw error
  }
}

/**
 * Makes the job and pays for it. Done again with the same purchase, even by another process after a crash, it finds the
 * same job by its id or its idempotency key, and a job that is paid is not paid again.
 */
export async function buy(
  marketplace: MarketplaceClient,
  home: Home,
  purchase: Purchase,
  signal: AbortSignal,
): Promise<JobDetail> {
  const { key: idempotencyKey, order } = purchase
  // Another process may have made the job by now.
  let { jobId } = home.read<Purchase>(fileOf(idempotencyKey)) ?? purchase
  if (jobId === undefined) {
    const { job } = await marketplace.createJob(order, { idempotencyKey, signal })
    jobId = job.id
    home.write(fileOf(idempotencyKey), { ...purchase, jobId })
  }
  const job = await marketplace.getJob(jobId, { signal })
  const isDue = job.status === 'PENDING' && !job.needsAcceptance
  return isDue ? marketplace.payJob(jobId, { agreedPrice: order.agreedPrice, signal }) : job
}
