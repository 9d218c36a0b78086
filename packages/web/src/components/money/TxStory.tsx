import { clockTime, exactTime } from '../../format/time.ts'
import { isOpen, type Transaction, type TxKind, type TxState } from '../../transactions/story.ts'
import { Button } from '../buttons/Button.tsx'
import { type Step, Stepper, type StepState } from '../status/Stepper.tsx'
import { TxLink } from './Address.tsx'

const path = ['signed', 'sent', 'confirmed', 'final'] as const

const titles: Record<(typeof path)[number], string> = {
  signed: 'Signed by you',
  sent: 'Sent to the chain',
  confirmed: 'Confirmed in a block',
  final: 'Final',
}

/** What the service does on somebody's word alone needs no signature. */
const isSigned: Record<TxKind, boolean> = {
  payment: true,
  delivery: false,
  changes: false,
  release: false,
  refund: false,
  dispute: false,
  settlement: false,
  ruling: true,
  withdrawal: false,
  subscription: true,
  fee: true,
  faucet: false,
}

interface TxStoryProps {
  transaction: Transaction
  /** Puts a story away that has ended. */
  onDismiss?: () => void
}

/** Every transaction is a little story: signed, sent, confirmed, final, or why it failed. */
export function TxStory({ transaction, onDismiss }: TxStoryProps) {
  const { kind, label, state, seenAtMs, txHash, failure } = transaction
  const steps = path.map((step): Step => {
    const atMs = seenAtMs[step]
    return {
      key: step,
      title: step === 'signed' && !isSigned[kind] ? 'Decided by you' : titles[step],
      state: stateOf(step, state, seenAtMs),
      note: atMs === undefined ? undefined : <time title={exactTime(atMs)}>{clockTime(atMs)}</time>,
    }
  })
  const failed: Step[] =
    state === 'failed' ? [{ key: 'failed', title: 'It failed', state: 'failed', note: failure }] : []
  const shown = state === 'failed' ? [...steps.filter((step) => step.state === 'done'), ...failed] : steps
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="text-14 font-medium">{label}</p>
        {txHash && <TxLink txHash={txHash} />}
      </div>
      <Stepper label={label} steps={shown} />
      {onDismiss && !isOpen(transaction) && (
        <Button look="quiet" size="small" className="self-start" onClick={onDismiss}>
          Dismiss
        </Button>
      )}
    </div>
  )
}

/** A step that was passed over between two looks is done all the same. */
function stateOf(step: (typeof path)[number], state: TxState, seen: Transaction['seenAtMs']): StepState {
  if (state === 'failed') return seen[step] === undefined ? 'ahead' : 'done'
  const distance = path.indexOf(step) - path.indexOf(state)
  if (distance <= 0) return 'done'
  return distance === 1 ? 'current' : 'ahead'
}
