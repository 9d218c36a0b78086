import type { Core } from '../core.ts'
import { MarketplaceError } from '../errors.ts'
import type { Signer } from '../signer.ts'

/** The payer must be able to sign: an API key is not enough. */
export function accountOf({ account }: Pick<Core, 'account'>): Signer {
  if (account) return account
  throw new MarketplaceError('UNAUTHORIZED', {
    message: 'Only an account can sign this: give createMarketplaceClient one.',
  })
}
