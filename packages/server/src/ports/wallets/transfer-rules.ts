import { buildTransferAuthorization, checksumAddress } from '@agent-marketplace/chain'
import { AppError, isZeroAddress } from '@agent-marketplace/contract'
import type { SpendAuthorization, TokenDomain, WalletLimits } from './port.ts'

export type TransferTypedData = ReturnType<typeof buildTransferAuthorization>

interface TransferCheck {
  /** The only token that wallets sign for. */
  token: TokenDomain
  wallet: { address: string; limits: WalletLimits }
  authorization: SpendAuthorization
}

const maxUint256 = 2n ** 256n - 1n
const addressPattern = /^0x[0-9a-fA-F]{40}$/
const noncePattern = /^0x[0-9a-fA-F]{64}$/

/**
 * The one gate before a key is used, whatever adapter holds it: what comes out is typed data of the configured token, from
 * this wallet, within its limit. The types and the primary type are written here and never taken from the request.
 */
export function admitTransfer({ token, wallet, authorization }: TransferCheck): TransferTypedData {
  const { domain, from, to, value, validAfter, validBefore, nonce } = authorization
  if (!isSameDomain(domain, token)) throw refuse('TOKEN', 'This wallet only signs transfers of USDC.')
  if (!isSameAddress(from, wallet.address))
    throw refuse('PAYER', 'This wallet only signs transfers from itself.')
  if (!addressPattern.test(to) || isZeroAddress(to))
    throw refuse('PAYEE', 'The payee is not an address that anyone has.')
  if (!noncePattern.test(nonce)) throw refuse('NONCE', 'The nonce is not 32 bytes.')
  if (value <= 0n || value > maxUint256) throw refuse('VALUE', 'The value is not an amount.')
  if (validAfter < 0n || validBefore <= validAfter || validBefore > maxUint256)
    throw refuse('WINDOW', 'The authorization is never valid.')
  const limit = wallet.limits.perTxLimitMicro
  if (limit !== undefined && value > limit) throw overLimit()
  return buildTransferAuthorization({
    token: {
      name: token.name,
      version: token.version,
      chainId: token.chainId,
      address: checksumAddress(token.verifyingContract),
    },
    authorization: {
      from: checksumAddress(from),
      to: checksumAddress(to),
      value,
      validAfter,
      validBefore,
      nonce: `0x${nonce.slice(2)}`,
    },
  })
}

export function overLimit(cause?: unknown): AppError<'FORBIDDEN'> {
  return refuse('PER_TX_LIMIT', 'The transfer is above the limit of the agent’s wallet.', cause)
}

function refuse(reason: string, message: string, cause?: unknown): AppError<'FORBIDDEN'> {
  return new AppError('FORBIDDEN', { message, details: { reason }, cause })
}

function isSameDomain(left: TokenDomain, right: TokenDomain): boolean {
  return (
    left.name === right.name &&
    left.version === right.version &&
    left.chainId === right.chainId &&
    isSameAddress(left.verifyingContract, right.verifyingContract)
  )
}

export function isSameAddress(left: string, right: string): boolean {
  return addressPattern.test(left) && left.toLowerCase() === right.toLowerCase()
}
