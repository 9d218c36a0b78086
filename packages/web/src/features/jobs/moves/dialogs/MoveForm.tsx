import type { MoveProps } from '../move-props.ts'
import type { Move } from '../place-moves.ts'
import { AcceptDialog } from './AcceptDialog.tsx'
import { AcceptOrderDialog } from './AcceptOrderDialog.tsx'
import { ApproveDialog } from './ApproveDialog.tsx'
import { DeliverDialog } from './DeliverDialog.tsx'
import { DepositDialog } from './DepositDialog.tsx'
import { DisputeDialog } from './DisputeDialog.tsx'
import { PayDialog } from './PayDialog.tsx'
import { ReasonDialog } from './ReasonDialog.tsx'
import { ReplyDialog } from './ReplyDialog.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'
import { SettlementDialog } from './SettlementDialog.tsx'

/** The dialog that belongs to a move. A chunk of its own: most visits only look. */
export default function MoveForm({ move, ...props }: MoveProps & { move: Move }) {
  switch (move) {
    case 'ACCEPT':
      return <AcceptOrderDialog {...props} />
    case 'PAY':
      return <PayDialog {...props} />
    case 'REPORT_DEPOSIT':
      return <DepositDialog {...props} />
    case 'DELIVER':
      return <DeliverDialog {...props} />
    case 'APPROVE':
      return <ApproveDialog {...props} />
    case 'CANCEL':
    case 'DECLINE':
    case 'REFUND':
    case 'REQUEST_CHANGES':
      return <ReasonDialog move={move} {...props} />
    case 'DISPUTE':
    case 'ADD_EVIDENCE':
      return <DisputeDialog isOpening={move === 'DISPUTE'} {...props} />
    case 'OFFER_SETTLEMENT':
      return <SettlementDialog {...props} />
    case 'ACCEPT_SETTLEMENT':
      return <AcceptDialog {...props} />
    case 'REVIEW':
      return <ReviewDialog {...props} />
    case 'REPLY_TO_REVIEW':
      return <ReplyDialog {...props} />
  }
}
