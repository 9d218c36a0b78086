import { NOTE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { useForm } from 'react-hook-form'
import { atMost } from '../../../../components/forms/at-most.ts'
import { Field } from '../../../../components/forms/Field.tsx'
import { TextArea } from '../../../../components/forms/inputs.tsx'
import { fieldErrors } from '../../../../data/connection/field-errors.ts'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'

/** The seller's one reply to a review. */
export function ReplyDialog({ job, onClose }: MoveProps) {
  const { register, handleSubmit, formState } = useForm<{ comment: string }>({
    defaultValues: { comment: '' },
  })
  const move = useJobMove<{ comment: string }>({
    job,
    call: async (client, { comment }) => {
      await client.replyToReview(job.id, { comment: comment.trim() })
      return undefined
    },
    done: 'Your reply is published.',
    onDone: onClose,
  })
  return (
    <MoveDialog
      title="Reply to the review"
      description="It is shown publicly below the review. You can reply once."
      submit="Publish the reply"
      move={move}
      onClose={onClose}
      onSubmit={handleSubmit((input) => move.mutate(input))}
    >
      <Field
        label="Your reply"
        isRequired
        error={formState.errors.comment?.message ?? fieldErrors(move.error).comment}
      >
        <TextArea
          rows={4}
          {...register('comment', {
            validate: (text) => text.trim() !== '' || 'Write your reply.',
            ...atMost(NOTE_MAX_LENGTH),
          })}
        />
      </Field>
    </MoveDialog>
  )
}
