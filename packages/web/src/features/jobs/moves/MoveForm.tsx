import type { Move } from '../moves.ts'
import { AcceptDialog } from './AcceptDialog.tsx'
import { ApproveDialog } from './ApproveDialog.tsx'
import { DeliverDialog } from './DeliverDialog.tsx'
import { DepositDialog } from './DepositDialog.tsx'
import { DisputeDialog } from './DisputeDialog.tsx'
import type { MoveProps } from './move-props.ts'
import { PayDialog } from './PayDialog.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { ReplyDialog } from './ReplyDialog.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'
import { SettlementDialog } from './SettlementDialog.tsx'

/** The dialog that belongs to a move. A chunk of its own: most visits only look. */
export default function MoveForm({ move, ...props }: MoveProps & { move: Move }) {
  switch (move) {
    case 'pay':
      return <PayDialog {...props} />
    case 'reportDeposit':
      return <DepositDialog {...props} />
    case 'deliver':
      return <DeliverDialog {...props} />
    case 'approve':
      return <ApproveDialog {...props} />
    case 'cancel':
    case 'decline':
    case 'refund':
    case 'requestChanges':
      return <ReasonDialog move={move} {...props} />
    case 'dispute':
    case 'addEvidence':
      return <DisputeDialog isOpening={move === 'dispute'} {...props} />
    case 'offerSettlement':
      return <SettlementDialog {...props} />
    case 'acceptSettlement':
      return <AcceptDialog {...props} />
    case 'review':
      return <ReviewDialog {...props} />
    case 'reply':
      return <ReplyDialog {...props} />
  }
}
