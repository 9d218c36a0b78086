import type { JobDetail, PartyAction } from '@agent-marketplace/contract'

/** What is done in the room of the job, and moves nothing. */
type RoomAction = 'REPORT_PROGRESS' | 'MESSAGE'

type ButtonAction = Exclude<PartyAction, RoomAction>

/** What a button does: an action that the service allows, or the second way to pay for a job in escrow. */
export type Move = ButtonAction | 'REPORT_DEPOSIT'

export interface PlacedMoves {
  /** The one thing to do now. */
  main: Move | undefined
  /** Stands below it. */
  beside: Move[]
  /** All else, in a menu. */
  menu: Move[]
}

/** What can be the one thing to do, in order of weight. */
const mainMoves: readonly ButtonAction[] = [
  'ACCEPT',
  'PAY',
  'DELIVER',
  'APPROVE',
  'ACCEPT_SETTLEMENT',
  'OFFER_SETTLEMENT',
  'REFUND',
  'CANCEL',
  'REVIEW',
  'REPLY_TO_REVIEW',
]
const besideMoves: readonly ButtonAction[] = ['REQUEST_CHANGES', 'ADD_EVIDENCE']
const menuMoves: readonly ButtonAction[] = ['CANCEL', 'DECLINE', 'DISPUTE', 'REFUND']

/** Where each allowed action stands. What is allowed is the service's to say. */
export function placeMoves(
  job: Pick<JobDetail, 'allowedActions' | 'status' | 'escrowState' | 'overdue'>,
): PlacedMoves {
  const allowed = (move: ButtonAction): boolean => job.allowedActions.includes(move)
  const isLate = job.escrowState === null && (job.overdue || job.status === 'CANCELLED')
  const isMain = (move: ButtonAction): boolean => {
    // Nobody is led to cancel a job that waits for its payment, nor to give back what is not late.
    if (move === 'CANCEL') return job.status !== 'PENDING'
    return move !== 'REFUND' || isLate
  }
  const [main, ...others] = mainMoves.filter((move) => allowed(move) && isMain(move))
  const placed = [main, ...others]
  return {
    main,
    beside: [...others, ...besideMoves.filter(allowed)],
    menu: [
      ...(allowed('PAY') && job.escrowState !== null ? ['REPORT_DEPOSIT' as const] : []),
      ...menuMoves.filter((move) => allowed(move) && !placed.includes(move)),
    ],
  }
}
