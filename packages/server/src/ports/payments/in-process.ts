import {
  addressesOf,
  type ChainClient,
  prepareTransferWithAuthorization,
  simulateInOrder,
} from '@agent-marketplace/chain'
import { AppError, isZeroAddress } from '@agent-marketplace/contract'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { addressIn, unwrapSignature } from './erc6492.ts'
import { toPaymentPayload } from './exact-payload.ts'
import { createReadingSigner } from './facilitator-signer.ts'
import { isOverlong, WRONG_END } from './lifetime.ts'
import { lookUpPayment } from './look-up.ts'
import type { Hex, Network, Offer, Payment, PaymentsPort, PreparedCall, Verdict } from './port.ts'

/** Less than this is too short to reach a block. */
const LEAST_SECONDS_LEFT = 6n

export interface InProcessPaymentsOptions {
  client: ChainClient
  /** Pays the gas. */
  operator: string
  /** The time of the chain, which the sandbox moves ahead of real time. */
  now: () => Date
  /** The same, where it goes on without blocks. */
  timeOfChain?: (() => Date) | undefined
}

/** The service is its own facilitator: it checks payments on its own chain client and relays them itself. */
export function createInProcessPayments(options: InProcessPaymentsOptions): PaymentsPort {
  const { client, operator, now, timeOfChain } = options
  const { usdc, smartWalletFactories } = addressesOf(client.chain.id)
  const isWalletFactory = (address: string): boolean =>
    smartWalletFactories.some((factory) => factory.toLowerCase() === address.toLowerCase())
  const network: Network = `eip155:${client.chain.id}`
  const signerAddress = operator as Hex

  async function check(payment: Payment, offer: Offer): Promise<string | undefined> {
    if (isZeroAddress(payment.payer)) return 'invalid_exact_evm_payload_signature'
    if (isZeroAddress(payment.payTo)) return 'invalid_exact_evm_payload_recipient_mismatch'
    const nowSeconds = BigInt(Math.floor(now().getTime() / 1000))
    if (payment.validBefore < nowSeconds + LEAST_SECONDS_LEFT || isOverlong(payment, offer, now))
      return WRONG_END
    const reading = createReadingSigner(client, signerAddress)
    const scheme = new ExactEvmScheme(reading.signer, { eip6492AllowedFactories: [...smartWalletFactories] })
    const verdict = await scheme.verify(toPaymentPayload(payment, offer), offer)
    if (verdict.isValid) return undefined
    if (reading.unanswered !== undefined) throw reading.unanswered
    return verdict.invalidReason ?? 'unexpected_verify_error'
  }

  /**
   * The check looks at the factory only where the payer has no code, and its code can be gone by now: what the operator is
   * to call is judged here, and nothing else than the payer's own wallet is deployed.
   */
  async function readPayer({ payer, signature }: Payment) {
    const wrapped = unwrapSignature(signature)
    const isDeployed = (await client.getCode({ address: payer })) !== undefined
    if (isDeployed || !wrapped || !isWalletFactory(wrapped.factory)) return { isContract: isDeployed }
    const deployment: PreparedCall = { to: wrapped.factory, data: wrapped.factoryData, value: 0n }
    const trial = await simulateInOrder(client, { from: signerAddress, calls: [deployment] })
    if (trial.status === 'unanswered') throw trial.cause
    const isItsWallet = trial.status === 'ok' && addressIn(trial.results[0]) === payer.toLowerCase()
    return isItsWallet ? { isContract: true, deployment } : { isContract: false }
  }

  return {
    network,

    supported: async () => ({
      kinds: [{ x402Version: 2, scheme: 'exact', network }],
      signers: { 'eip155:*': [signerAddress] },
    }),

    async verify(payment, offer): Promise<Verdict> {
      try {
        const blockNumber = await client.getBlockNumber()
        const reason = await check(payment, offer)
        if (reason !== undefined) return { status: 'invalid', reason }
        return { status: 'valid', blockNumber, ...(await readPayer(payment)) }
      } catch (error) {
        throw new AppError('UNAVAILABLE', { message: 'The chain is not responding right now.', cause: error })
      }
    },

    lookUp: (payment, sinceBlock) => lookUpPayment(client, { usdc, payment, sinceBlock, timeOfChain }),

    settlement: {
      by: 'service',
      prepare(payment) {
        const { payer: from, payTo: to, amountMicro: value, validAfter, validBefore, nonce } = payment
        return prepareTransferWithAuthorization({
          usdc,
          authorization: { from, to, value, validAfter, validBefore, nonce },
          signature: unwrapSignature(payment.signature)?.signature ?? payment.signature,
        })
      },
    },
  }
}
