import { isSameAddress } from '../addresses.ts'
import { MarketplaceError } from '../errors.ts'

/** What the caller has agreed to. */
export interface Agreed {
  amountMicro: bigint
  /** Who is to be paid, where that is known beforehand. */
  payTo?: string | undefined
}

/** What the service asks the wallet to sign, and where the chain's facts say it should go. */
interface Asked {
  amountMicro: bigint
  payTo: string
  token: string
  chainId: number
  domain: TokenDomain
  /** Whether the signature is of no use soon after the payment should have settled. */
  endsInTime: boolean
}

interface ChainFacts {
  token: string
  chainId: number
  domain: TokenDomain
}

/** What the token calls itself in what is signed. */
interface TokenDomain {
  name: string
  version: string
}

/** A wallet signs only what was agreed: this much of this token on this chain, to this payee. */
export function checkPayment(asked: Asked, agreed: Agreed, facts: ChainFacts): void {
  const { name, version } = asked.domain
  refusePayment(
    [
      asked.amountMicro > agreed.amountMicro && 'amount',
      agreed.payTo !== undefined && !isSameAddress(asked.payTo, agreed.payTo) && 'payTo',
      !isSameAddress(asked.token, facts.token) && 'token',
      asked.chainId !== facts.chainId && 'chainId',
      (name !== facts.domain.name || version !== facts.domain.version) && 'domain',
      !asked.endsInTime && 'validBefore',
    ],
    {
      amount: asked.amountMicro.toString(),
      agreedAmount: agreed.amountMicro.toString(),
      payTo: asked.payTo,
      token: asked.token,
    },
  )
}

/** Nothing is signed when anything differs from what was agreed to. */
export function refusePayment(found: (string | false)[], details: Record<string, unknown>): void {
  const differences = found.filter((name) => name !== false)
  if (differences.length === 0) return
  throw new MarketplaceError('UNEXPECTED_PAYMENT', {
    message: `The payment that is requested is not the one agreed to: ${differences.join(', ')}.`,
    details: { differences, ...details },
  })
}
