import { usdcText } from '../../../../format/money.ts'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'

/** The seller takes an order on; only then can it be paid. */
export function AcceptOrderDialog({ job, onClose }: MoveProps) {
  const move = useJobMove({
    job,
    call: (client) => client.acceptJob(job.id),
    done: 'Order accepted. The buyer can pay now.',
    onDone: onClose,
  })
  return (
    <MoveDialog
      title="Accept the order"
      description={`You agree to do this for ${usdcText(BigInt(job.agreedPrice))} USDC. The buyer then has 24 hours to pay; start when the payment is there.`}
      submit="Accept the order"
      look="primary"
      move={move}
      onClose={onClose}
      onSubmit={() => move.mutate()}
    />
  )
}
