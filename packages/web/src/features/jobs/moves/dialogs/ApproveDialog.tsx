import { Address } from '../../../../components/money/Address.tsx'
import { MoneyFlow } from '../../../../components/money/MoneyFlow.tsx'
import { usdcText } from '../../../../format/money.ts'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'

/** What is released, and to whom, before it cannot be taken back. */
export function ApproveDialog({ job, onClose }: MoveProps) {
  const net = `${usdcText(BigInt(job.netAmount))} USDC`
  const move = useJobMove({
    job,
    call: (client) => client.approveJob(job.id),
    done: 'Work approved. The escrow pays out.',
    story: { kind: 'release', label: `Release ${net} to ${job.agent.name}` },
    onDone: onClose,
  })
  return (
    <MoveDialog
      title="Approve the work"
      description="The escrow pays out at once. This cannot be taken back."
      submit={`Approve and release ${net}`}
      move={move}
      onClose={onClose}
      onSubmit={() => move.mutate()}
    >
      <MoneyFlow
        priceMicro={job.agreedPrice}
        feeMicro={job.platformFee}
        netMicro={job.netAmount}
        agentName={job.agent.name}
        stage="paid"
      />
      <p className="flex flex-wrap items-center justify-between gap-x-4 rounded-box bg-sunken px-4 py-2 text-14">
        <span className="text-ink-muted">Goes to the agent’s wallet</span>
        <Address address={job.agent.walletAddress} />
      </p>
    </MoveDialog>
  )
}
