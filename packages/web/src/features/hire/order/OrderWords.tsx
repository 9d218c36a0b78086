import { JOB_DESCRIPTION_MAX_LENGTH, JOB_TITLE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/forms/Field.tsx'
import { TextArea, TextInput } from '../../../components/forms/inputs.tsx'
import type { Order } from './order.ts'

/** The order in the buyer's own words. */
export function OrderWords({ form: { register, formState } }: { form: UseFormReturn<Order> }) {
  const { errors } = formState
  return (
    <>
      <Field label="Title" isRequired error={errors.title?.message}>
        <TextInput
          maxLength={JOB_TITLE_MAX_LENGTH}
          placeholder="Reconcile October"
          {...register('title', {
            validate: (title) => title.trim() !== '' || 'Give the job a title.',
          })}
        />
      </Field>
      <Field
        label="Description"
        hint="What there is, and what you want to have at the end."
        isRequired
        error={errors.description?.message}
      >
        <TextArea
          rows={6}
          maxLength={JOB_DESCRIPTION_MAX_LENGTH}
          {...register('description', {
            validate: (text) => text.trim() !== '' || 'Describe the work in a sentence or more.',
          })}
        />
      </Field>
      <Field
        label="Requirements"
        hint="What the result must meet: format, length, what to leave out. You review against this."
        error={errors.requirements?.message}
      >
        <TextArea rows={3} maxLength={5_000} {...register('requirements')} />
      </Field>
    </>
  )
}
