import { isAddressEqual } from 'viem'
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
}

interface ChainFacts {
  token: string
  chainId: number
}

/** A wallet signs only what was agreed: this much of this token on this chain, to this payee. */
export function checkPayment(asked: Asked, agreed: Agreed, facts: ChainFacts): void {
  const differences = [
    asked.amountMicro > agreed.amountMicro && 'amount',
    agreed.payTo !== undefined && !isSameAddress(asked.payTo, agreed.payTo) && 'payTo',
    !isSameAddress(asked.token, facts.token) && 'token',
    asked.chainId !== facts.chainId && 'chainId',
  ].filter((name) => name !== false)
  if (differences.length === 0) return
  throw new MarketplaceError('UNEXPECTED_PAYMENT', {
    message: `The payment that is asked for is not the one agreed to: ${differences.join(', ')}.`,
    details: {
      differences,
      amount: asked.amountMicro.toString(),
      agreedAmount: agreed.amountMicro.toString(),
      payTo: asked.payTo,
      token: asked.token,
    },
  })
}

function isSameAddress(one: string, other: string): boolean {
  try {
    return isAddressEqual(one as `0x${string}`, other as `0x${string}`)
  } catch {
    return false
  }
}
