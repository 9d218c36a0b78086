export type WalletErrorCode = 'WALLET_MISSING' | 'OTHER_ACCOUNT' | 'OTHER_CHAIN' | 'CANNOT_SEND'

/** Why a wallet cannot sign although nobody refused. The message is fit to be shown. */
export class WalletError extends Error {
  override readonly name = 'WalletError'
  readonly code: WalletErrorCode

  constructor(code: WalletErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** EIP-1193: the user said no. That is a choice, not a failure. */
const USER_REJECTED = 4001

/** Wallet libraries wrap errors in errors, so the whole chain of causes is looked at. */
export function isRejectedByUser(error: unknown): boolean {
  const seen = new Set<unknown>()
  for (let current = error; typeof current === 'object' && current !== null && !seen.has(current); ) {
    seen.add(current)
    const { code, name, cause } = current as { code?: unknown; name?: unknown; cause?: unknown }
    if (code === USER_REJECTED || code === 'ACTION_REJECTED' || name === 'UserRejectedRequestError')
      return true
    current = cause
  }
  return false
}
