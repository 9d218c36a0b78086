export type ChainErrorCode =
  | 'JOURNAL_CORRUPT'
  | 'JOURNAL_MISMATCH'
  | 'JOURNAL_WRITE_FAILED'
  | 'REPLAY_DIVERGED'
  | 'DEVNET_CLOSED'
  | 'GENESIS_FAILED'
  | 'METHOD_NOT_ALLOWED'
  | 'UNKNOWN_CHAIN'
  | 'WRONG_CHAIN'
  | 'INVALID_ARGUMENT'
  | 'DEPLOYMENT_FAILED'
  | 'INCOMPLETE_ANSWER'

/** The one error this package throws by itself; whatever the chain or viem throws passes through untouched. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  readonly code: ChainErrorCode

  constructor(code: ChainErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
