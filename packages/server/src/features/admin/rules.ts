import { type AccountStatus, AppError, type Job, type NotificationType } from '@agent-marketplace/contract'

export type AccountDecision = 'suspend' | 'reinstate' | 'deactivate'

interface AccountMove {
  from: readonly AccountStatus[]
  to: AccountStatus
  action: string
  notice: { type: NotificationType; title: string; message: string }
}

/** How an account changes state, and its owner's notification. */
export const accountMoves: Record<AccountDecision, AccountMove> = {
  suspend: {
    from: ['ACTIVE'],
    to: 'SUSPENDED',
    action: 'owner.suspended',
    notice: {
      type: 'ACCOUNT_SUSPENDED',
      title: 'Account suspended',
      message: 'You can read and finish running jobs, but not start new ones or withdraw.',
    },
  },
  reinstate: {
    from: ['SUSPENDED', 'DEACTIVATED'],
    to: 'ACTIVE',
    action: 'owner.reinstated',
    notice: { type: 'ACCOUNT_REINSTATED', title: 'Account reinstated', message: 'Everything works again.' },
  },
  deactivate: {
    from: ['ACTIVE', 'SUSPENDED'],
    to: 'DEACTIVATED',
    action: 'owner.deactivated',
    notice: {
      type: 'ACCOUNT_SUSPENDED',
      title: 'Account deactivated',
      message: 'Your account is closed. Money in your agents’ wallets stays yours.',
    },
  },
}

export function checkAccountMove(status: AccountStatus, decision: AccountDecision): void {
  const { from } = accountMoves[decision]
  if (from.includes(status)) return
  throw new AppError('INVALID_STATE', {
    message: `The account is ${status}.`,
    details: { status, allowed: [...from] },
  })
}

/** Admins who locked themselves out could not undo it. */
export function checkNotSelf(actorId: string, ownerId: string): void {
  if (actorId === ownerId)
    throw new AppError('FORBIDDEN', { message: 'Another admin must decide on your own account.' })
}

/** The Safe can only rule on a job that the escrow itself has as disputed. */
export function checkRulable({ status, escrowState }: Pick<Job, 'status' | 'escrowState'>): void {
  if (status === 'DISPUTED' && escrowState === 'DISPUTED') return
  const isClosed = status === 'COMPLETED' || status === 'CANCELLED'
  const message = isClosed ? 'The dispute is closed.' : 'The dispute has not reached the chain yet.'
  // Status and escrow state must agree: a dispute that is not on chain yet is not DISPUTED there.
  const now = status === 'DISPUTED' ? (escrowState ?? status) : status
  throw new AppError('INVALID_STATE', { message, details: { status: now, allowed: ['DISPUTED'] } })
}

/** Roles change on the chain: a Safe that was replaced signs rulings that the escrow refuses. */
export const isArbiter = (safe: { address: string }, arbiter: string): boolean =>
  safe.address.toLowerCase() === arbiter.toLowerCase()

/** What the chain's revert reasons mean for a ruling: those of the Safe are codes. */
const failures: Record<string, string> = {
  ARBITER_CHANGED: 'the escrow takes rulings from another arbiter now',
  WrongCaller: 'the escrow takes rulings from another arbiter now',
  SAFE_NONCE_USED: 'the Safe has executed something else with this nonce, or this ruling by another way',
  GS026: 'the signatures do not fit the Safe any more, because its nonce or its owners have changed',
  WrongState: 'the escrow does not take the ruling, because the job is not disputed there any more',
  GIVEN_UP: 'the transaction did not get into a block for too long',
  REVERTED: 'the chain refused it and gives no reason',
}

/** Why a ruling was not executed, and what to do, for the console. */
export function failureText(reason: string | null): string {
  const word = reason ?? 'REVERTED'
  const meaning = failures[word] ?? 'the chain refused it'
  return `${word}: ${meaning}. Propose it again if the dispute is still open.`
}
