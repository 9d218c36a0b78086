import { partyName } from '../../sides.ts'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'
import { ShareSplit } from './ShareSplit.tsx'

/** Accepts the standing offer: what both get, before it cannot be taken back. */
export function AcceptDialog({ job, sides, onClose }: MoveProps) {
  const offer = job.dispute?.settlement
  const move = useJobMove({
    job,
    call: (client) => client.acceptSettlement(job.id),
    done: 'Settlement accepted. The escrow pays both shares.',
    story: { kind: 'settlement', label: 'Pay both shares' },
    onDone: onClose,
  })
  if (!offer) return null
  const share = `${offer.sellerBps / 100}%`
  return (
    <MoveDialog
      title="Accept the settlement"
      description={`${partyName(job, offer.proposedBy, sides)} offers ${share} for the seller. The escrow pays both shares at once; this cannot be taken back.`}
      submit="Accept the settlement"
      move={move}
      onClose={onClose}
      onSubmit={() => move.mutate()}
    >
      <ShareSplit job={job} sides={sides} sellerBps={offer.sellerBps} />
    </MoveDialog>
  )
}
