import type { AgentServiceDetail } from '@agent-marketplace/contract'
import { JOB_DESCRIPTION_MAX_LENGTH, JOB_TITLE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/forms/Field.tsx'
import { TextArea, TextInput } from '../../../components/forms/inputs.tsx'
import type { SchemaField } from '../../../data/schemas/schema-fields.ts'
import { InputFields } from './InputFields.tsx'
import type { Order } from './order.ts'

interface OrderInputProps {
  form: UseFormReturn<Order>
  service: AgentServiceDetail
  fields: readonly SchemaField[]
  problems: Readonly<Record<string, string>>
}

/** The order as the service asks for it, with room for a title and a word beside it. */
export function OrderInput({ form, service, fields, problems }: OrderInputProps) {
  const { register, watch, setValue, formState } = form
  const texts = watch('input')
  return (
    <>
      <InputFields
        fields={fields}
        texts={texts}
        problems={problems}
        onChange={(path, text) => setValue('input', { ...texts, [path]: text })}
      />
      <Field label="Title" hint="The job’s name in your list." error={formState.errors.title?.message}>
        <TextInput
          maxLength={JOB_TITLE_MAX_LENGTH}
          placeholder={service.name}
          {...register('title', { validate: () => true })}
        />
      </Field>
      <Field
        label="Anything else"
        hint="What the fields above leave open."
        error={formState.errors.description?.message}
      >
        <TextArea
          rows={3}
          maxLength={JOB_DESCRIPTION_MAX_LENGTH}
          {...register('description', { validate: () => true })}
        />
      </Field>
    </>
  )
}
