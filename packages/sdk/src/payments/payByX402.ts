import type { Core } from '../core.ts'
import { isMarketplaceError } from '../errors.ts'
import { exchange } from '../transport/exchange.ts'
import type { Exchange } from '../transport/prepare.ts'
import type { Exchanged } from '../transport/send.ts'
import { accountOf } from './accountOf.ts'
import type { Agreed } from './checkPayment.ts'
import { signX402Payment } from './signX402Payment.ts'

/** The calls that x402 pays for. */
type PaidId = 'payJob' | 'payKycFee'

const PAYMENT_REQUIRED = 402

/**
 * Makes a paid call. What is signed is sent until its outcome is known, also by a later call for the same thing: while
 * nobody can say whether a payment arrived, signing another could pay twice.
 */
export async function payByX402<Id extends PaidId>(
  core: Core,
  id: Id,
  call: Exchange,
  agreed: Agreed,
): Promise<Exchanged<Id>> {
  const { openPayments } = core.memory
  const thing = JSON.stringify([id, call.params])
  const account = accountOf(core)
  let header = openPayments.get(thing)
  if (header === undefined) {
    const asked = await exchange(core, id, { ...call, expectedStatus: PAYMENT_REQUIRED })
    if (asked.status !== PAYMENT_REQUIRED) return asked
    header = await signX402Payment(core, account, asked.headers.get('payment-required'), agreed)
    openPayments.set(thing, header)
  }
  try {
    const paid = await exchange(core, id, { ...call, headers: { 'payment-signature': header } })
    const isSettled = paid.status === 200
    if (isSettled) openPayments.delete(thing)
    return paid
  } catch (error) {
    const isRefused = isMarketplaceError(error) && !error.retryable && error.code !== 'UNAUTHORIZED'
    if (isRefused) openPayments.delete(thing)
    throw error
  }
}
