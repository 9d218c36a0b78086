import { type JobDetail, railOf } from '@agent-marketplace/contract'
import { NOTE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import type { MarketplaceClient } from '@agent-marketplace/sdk'
import { useForm } from 'react-hook-form'
import type { ButtonLook } from '../../../../components/buttons/button-look.ts'
import { atMost } from '../../../../components/forms/at-most.ts'
import { Field } from '../../../../components/forms/Field.tsx'
import { TextArea } from '../../../../components/forms/inputs.tsx'
import { fieldErrors } from '../../../../data/connection/field-errors.ts'
import { usdcText } from '../../../../format/money.ts'
import type { TxKind } from '../../../../transactions/story.ts'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import type { Move } from '../place-moves.ts'
import { useJobMove } from '../useJobMove.ts'

export type ReasonMove = Extract<Move, 'CANCEL' | 'DECLINE' | 'REFUND' | 'REQUEST_CHANGES'>

interface ReasonWords {
  title: string
  description: string
  field: string
  submit: string
  look: ButtonLook
  done: string
  story?: { kind: TxKind; label: string }
  call: (client: MarketplaceClient, reason: { reason?: string }) => Promise<JobDetail>
}

/** The moves that need nothing but a reason: what each says and does. */
function wordsOf(move: ReasonMove, job: JobDetail): ReasonWords {
  const price = `${usdcText(BigInt(job.agreedPrice))} USDC`
  const isPaid = job.status !== 'PENDING'
  switch (move) {
    case 'CANCEL': {
      const isRefunded = isPaid && railOf(job.paymentMethod).holdsMoney
      const paidByX402 =
        'It was paid straight to the agent, so only the seller can return the money. They are notified, and the agent stays marked until they do.'
      return {
        title: 'Cancel the job',
        description: isRefunded
          ? `The deadline was missed. The escrow returns ${price} to you.`
          : isPaid
            ? `The deadline was missed. ${paidByX402}`
            : 'It is not paid, so no money moves. It cannot be opened again.',
        field: 'Why',
        submit: isRefunded ? `Cancel and get ${price} back` : 'Cancel the job',
        look: 'danger',
        done: 'Job cancelled.',
        ...(isRefunded ? { story: { kind: 'refund', label: `Return ${price} to you` } as const } : {}),
        call: (client, reason) => client.cancelJob(job.id, reason),
      }
    }
    case 'DECLINE':
      return {
        title: 'Decline the job',
        description: 'It is not paid yet, so no money moves. The buyer sees your reason.',
        field: 'Why',
        submit: 'Decline the job',
        look: 'danger',
        done: 'Job declined.',
        call: (client, reason) => client.declineJob(job.id, reason),
      }
    case 'REFUND':
      return {
        title: 'Give the money back',
        description: railOf(job.paymentMethod).holdsMoney
          ? `The escrow returns all ${price} to the buyer, and the job ends. You earn nothing from it.`
          : `${price} go from the wallet of ${job.agent.name} back to the wallet that paid, and the job ends. You earn nothing from it.`,
        field: 'Why',
        submit: `Return ${price}`,
        look: 'danger',
        done: railOf(job.paymentMethod).holdsMoney ? 'The escrow returns the money.' : 'The money goes back.',
        ...(railOf(job.paymentMethod).holdsMoney
          ? { story: { kind: 'refund', label: `Return ${price} to the buyer` } as const }
          : {}),
        call: (client, reason) => client.refundJob(job.id, reason),
      }
    case 'REQUEST_CHANGES':
      return {
        title: 'Request changes',
        description: `${job.agent.name} works on it again and has at least 7 days. The money stays in escrow. You can ask ${job.changeRequestsLeft === 1 ? 'this one more time' : 'twice in all'}.`,
        field: 'What should change',
        submit: 'Request changes',
        look: 'primary',
        done: 'Changes requested.',
        story: { kind: 'changes', label: 'Record the request for changes' },
        call: (client, reason) => client.requestJobChanges(job.id, reason),
      }
  }
}

export function ReasonDialog({ job, move: name, onClose }: MoveProps & { move: ReasonMove }) {
  const words = wordsOf(name, job)
  const isRequired = name === 'REQUEST_CHANGES'
  const { register, handleSubmit, formState } = useForm<{ reason: string }>({ defaultValues: { reason: '' } })
  const move = useJobMove<{ reason: string }>({
    job,
    call: (client, { reason }) => words.call(client, reason.trim() ? { reason: reason.trim() } : {}),
    done: words.done,
    ...(words.story ? { story: words.story } : {}),
    onDone: onClose,
  })
  return (
    <MoveDialog
      title={words.title}
      description={words.description}
      submit={words.submit}
      look={words.look}
      move={move}
      onClose={onClose}
      onSubmit={handleSubmit((input) => move.mutate(input))}
    >
      <Field
        label={words.field}
        hint="The other party sees it."
        isRequired={isRequired}
        error={formState.errors.reason?.message ?? fieldErrors(move.error).reason}
      >
        <TextArea
          rows={4}
          {...register('reason', {
            validate: (text) => !isRequired || text.trim() !== '' || 'Say what should change.',
            ...atMost(NOTE_MAX_LENGTH),
          })}
        />
      </Field>
    </MoveDialog>
  )
}
