import { useState } from 'react'
import { Field } from '../../../../components/forms/Field.tsx'
import { Slider } from '../../../../components/forms/inputs.tsx'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'
import { ShareSplit } from './ShareSplit.tsx'

const HALF_BPS = 5000
/** Half a percent: fine enough to agree on, coarse enough to reach with a finger. */
const STEP_BPS = 50

/** Offers a split of the deposit. A new offer replaces the one before. */
export function SettlementDialog({ job, sides, onClose }: MoveProps) {
  const [sellerBps, setSellerBps] = useState(job.dispute?.settlement?.sellerBps ?? HALF_BPS)
  const share = `${sellerBps / 100}%`
  const move = useJobMove({
    job,
    call: (client) => client.proposeSettlement(job.id, { sellerBps }),
    done: `Offer of ${share} for the seller sent.`,
    onDone: onClose,
  })
  return (
    <MoveDialog
      title="Offer a settlement"
      description="If the other side accepts, the escrow pays both shares at once and the dispute ends."
      submit={`Offer ${share} to the seller`}
      move={move}
      onClose={onClose}
      onSubmit={() => move.mutate()}
    >
      <Field label="The seller’s share" isRequired>
        <Slider
          min={0}
          max={10_000}
          step={STEP_BPS}
          value={sellerBps}
          onChange={({ target }) => setSellerBps(Number(target.value))}
          valueText={share}
        />
      </Field>
      <ShareSplit job={job} sides={sides} sellerBps={sellerBps} />
    </MoveDialog>
  )
}
