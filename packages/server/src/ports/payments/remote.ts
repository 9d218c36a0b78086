import { addressesOf, type ChainClient } from '@agent-marketplace/chain'
import { AppError } from '@agent-marketplace/contract'
import { HTTPFacilitatorClient } from '@x402/core/server'
import { SettleError, type SettleResponse, VerifyError, type VerifyResponse } from '@x402/core/types'
import { toPaymentPayload } from './exact-payload.ts'
import { isOverlong, WRONG_END } from './lifetime.ts'
import { lookUpPayment } from './look-up.ts'
import type { DelegatedOutcome, Hex, Network, PaymentsPort } from './port.ts'

export interface RemotePaymentsOptions {
  url: string
  /** Sent as Bearer token with every call, where the facilitator wants one. */
  token?: string | undefined
  /** Its word is never the last: what it settled is read from the chain. */
  client: ChainClient
  /** The chain's own time, where it goes on without blocks. */
  timeOfChain?: (() => Date) | undefined
  timeoutMs?: number
}

/** A facilitator elsewhere checks and sends the payments. It is asked once; after a lost response the chain is. */
export function createRemotePayments(options: RemotePaymentsOptions): PaymentsPort {
  const { url, token, client, timeOfChain, timeoutMs = 15_000 } = options
  const { usdc } = addressesOf(client.chain.id)
  const network: Network = `eip155:${client.chain.id}`
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const facilitator = new HTTPFacilitatorClient({
    url,
    timeoutMs,
    createAuthHeaders: async () => ({ verify: headers, settle: headers, supported: headers }),
  })

  return {
    network,

    async supported() {
      const { kinds, signers } = await facilitator.getSupported().catch(unavailable)
      return { kinds: kinds.filter((kind) => kind.network === network), signers }
    },

    async verify(payment, offer) {
      if (isOverlong(payment, offer, timeOfChain)) return { status: 'invalid', reason: WRONG_END }
      const blockNumber = await client.getBlockNumber().catch(unavailable)
      const verdict = await facilitator.verify(toPaymentPayload(payment, offer), offer).catch(readVerdict)
      if (verdict.isValid) return { status: 'valid', blockNumber }
      return { status: 'invalid', reason: verdict.invalidReason ?? 'unexpected_verify_error' }
    },

    lookUp: (payment, sinceBlock) => lookUpPayment(client, { usdc, payment, sinceBlock, timeOfChain }),

    settlement: {
      by: 'facilitator',
      async settle(payment, offer) {
        try {
          return readOutcome(await facilitator.settle(toPaymentPayload(payment, offer), offer))
        } catch (error) {
          return error instanceof SettleError ? readOutcome(responseOf(error)) : { status: 'unknown' }
        }
      },
    },
  }
}

/** Reasons that are found before anything is sent. Of all others a transaction may be under way. */
const foundBeforeSending =
  /^(invalid_(?!transaction_state)(?!.*transaction_failed).*|insufficient_funds|unsupported_scheme|eip6492_factory_not_allowed|asset_not_deployed_contract)$/

function readOutcome({ success, transaction, errorReason = '' }: SettleOutcome): DelegatedOutcome {
  if (success && /^0x[0-9a-fA-F]{64}$/.test(transaction))
    return { status: 'accepted', txHash: transaction as Hex }
  if (!success && foundBeforeSending.test(errorReason)) return { status: 'refused', reason: errorReason }
  return { status: 'unknown' }
}

type SettleOutcome = Pick<SettleResponse, 'success' | 'transaction' | 'errorReason'>

function responseOf({ errorReason, transaction }: SettleError): SettleOutcome {
  return { success: false, transaction, ...(errorReason === undefined ? {} : { errorReason }) }
}

function readVerdict(error: unknown): VerifyResponse {
  if (!(error instanceof VerifyError) || error.statusCode >= 500) return unavailable(error)
  return { isValid: false, invalidReason: error.invalidReason ?? 'unexpected_verify_error' }
}

function unavailable(cause: unknown): never {
  throw new AppError('UNAVAILABLE', { message: 'Payments cannot be checked right now.', cause })
}
