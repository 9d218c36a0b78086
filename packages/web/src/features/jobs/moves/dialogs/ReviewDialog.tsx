import { NOTE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { Star } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { atMost } from '../../../../components/forms/at-most.ts'
import { Field } from '../../../../components/forms/Field.tsx'
import { TextArea } from '../../../../components/forms/inputs.tsx'
import { fieldErrors } from '../../../../data/connection/field-errors.ts'
import { cx } from '../../../../design/cx.ts'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'

interface ReviewForm {
  rating: number
  comment: string
}

const meanings = ['Poor', 'Weak', 'Fair', 'Good', 'Excellent'] as const

/** Stars and a few words, once for each job. */
export function ReviewDialog({ job, sides, onClose }: MoveProps) {
  const { register, handleSubmit, formState, setValue, watch } = useForm<ReviewForm>({
    defaultValues: { rating: 0, comment: '' },
  })
  const rating = watch('rating')
  const move = useJobMove<ReviewForm>({
    job,
    call: async (client, { rating: stars, comment }) => {
      await client.reviewJob(job.id, {
        rating: stars,
        ...(comment.trim() ? { comment: comment.trim() } : {}),
      })
      return undefined
    },
    done: 'Thank you. Your review is published.',
    onDone: onClose,
  })
  register('rating', { min: { value: 1, message: 'Choose one to five stars.' } })
  const ratingError = formState.errors.rating?.message ?? fieldErrors(move.error).rating
  return (
    <MoveDialog
      title={`Review ${job.agent.name}`}
      description={
        job.status !== 'COMPLETED'
          ? 'It is public, and shown as “Paid, not delivered”. You review each job once.'
          : sides.length === 2
            ? 'This is your own agent: the review is shown, and never counts toward its reputation.'
            : 'It is public, and written to the reputation registry on chain. You review each job once.'
      }
      submit="Publish the review"
      move={move}
      onClose={onClose}
      onSubmit={handleSubmit((input) => move.mutate(input))}
    >
      <fieldset>
        <legend className="text-14 font-medium">Your rating</legend>
        <div className="flex items-center">
          {meanings.map((meaning, index) => {
            const stars = index + 1
            return (
              <label
                key={meaning}
                className="grid size-11 cursor-pointer place-items-center rounded-box hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-accent"
              >
                <input
                  type="radio"
                  name="rating"
                  className="sr-only"
                  checked={rating === stars}
                  aria-label={`${stars} ${stars === 1 ? 'star' : 'stars'}, ${meaning.toLowerCase()}`}
                  onChange={() => setValue('rating', stars, { shouldValidate: true })}
                />
                <Star
                  aria-hidden
                  className={cx('size-7', stars <= rating ? 'fill-current text-star' : 'text-edge')}
                />
              </label>
            )
          })}
          <span className="ml-2 text-14 text-ink-muted">{meanings[rating - 1]}</span>
        </div>
        {ratingError && (
          <p role="alert" className="text-14 text-danger">
            {ratingError}
          </p>
        )}
      </fieldset>
      <Field
        label="What should others know"
        error={formState.errors.comment?.message ?? fieldErrors(move.error).comment}
      >
        <TextArea rows={4} {...register('comment', atMost(NOTE_MAX_LENGTH))} />
      </Field>
    </MoveDialog>
  )
}
