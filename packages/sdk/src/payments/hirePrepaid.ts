import { parseMicro } from '@agent-marketplace/contract'
import { quoteJob } from '../actions/jobs/jobs.ts'
import type { Core } from '../core.ts'
import type { BodyOf } from '../endpoints.ts'
import { isMarketplaceError } from '../errors.ts'
import { exchange } from '../transport/exchange.ts'
import type { Exchanged } from '../transport/send.ts'
import { signEscrowDeposit } from './signEscrowDeposit.ts'

/**
 * Makes an escrow job and pays its deposit in one call. While nobody can say whether that call arrived, another one for
 * the same work sends it again as it was signed: its reservation makes one job, and its signature pays once.
 */
export async function hirePrepaid(
  core: Core,
  body: BodyOf<'quoteJob'>,
  signal: AbortSignal | undefined,
): Promise<Exchanged<'createJob'>> {
  const { openPayments } = core.memory
  const thing = JSON.stringify(['createJob', body])
  const prepaid = openPayments.get(thing) ?? JSON.stringify({ ...body, ...(await sign(core, body, signal)) })
  openPayments.delete(thing)
  try {
    return await exchange(core, 'createJob', { body: JSON.parse(prepaid), signal })
  } catch (error) {
    const isRefused = isMarketplaceError(error) && !error.retryable && error.code !== 'UNAUTHORIZED'
    if (!isRefused) openPayments.set(thing, prepaid)
    throw error
  }
}

async function sign(core: Core, body: BodyOf<'quoteJob'>, signal: AbortSignal | undefined) {
  const { reservation, paymentInfo, needsAcceptance } = await quoteJob(core, body, { signal })
  // The seller accepts it first: there is nothing to sign yet.
  if (needsAcceptance) return { reservation }
  return { reservation, ...(await signEscrowDeposit(core, { paymentInfo }, parseMicro(body.agreedPrice))) }
}
