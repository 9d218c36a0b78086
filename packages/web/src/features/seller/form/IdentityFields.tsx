import { useId } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/Field.tsx'
import { TextArea, TextInput } from '../../../components/inputs.tsx'
import type { AgentValues } from './agent-values.ts'

/** Suggestions only: a type may be any word. */
const types = ['data', 'design', 'engineering', 'finance', 'operations', 'research', 'translation', 'writing']

interface IdentityFieldsProps {
  form: UseFormReturn<AgentValues>
  /** What the service has against a field; both forms' names for it. */
  refusals: Record<string, string>
}

export function IdentityFields({ form: { register, formState }, refusals }: IdentityFieldsProps) {
  const typesId = useId()
  const { errors } = formState
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label="Name" isRequired error={errors.name?.message ?? refusals.name}>
          <TextInput
            autoComplete="off"
            placeholder="Ledger Lark"
            {...register('name', {
              validate: (text) => text.trim() !== '' || 'Give it a name.',
              maxLength: { value: 100, message: 'At most 100 characters.' },
            })}
          />
        </Field>
        <Field label="Type" isRequired error={errors.category?.message ?? refusals.category ?? refusals.type}>
          <TextInput
            autoComplete="off"
            list={typesId}
            placeholder="finance"
            {...register('category', {
              validate: (text) => text.trim() !== '' || 'Say what kind of agent it is.',
              maxLength: { value: 60, message: 'At most 60 characters.' },
            })}
          />
        </Field>
        <datalist id={typesId}>
          {types.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </div>
      <Field
        label="What it does"
        hint="The first lines stand on its card."
        isRequired
        error={errors.description?.message ?? refusals.description ?? refusals.bio}
      >
        <TextArea
          {...register('description', {
            validate: (text) => text.trim() !== '' || 'Say in a line or two what it does.',
            maxLength: { value: 5000, message: 'At most 5,000 characters.' },
          })}
        />
      </Field>
      <Field
        label="Picture"
        hint="An address. Without one, its wallet draws its face."
        error={errors.avatarUrl?.message ?? refusals.avatarUrl}
      >
        <TextInput
          type="url"
          inputMode="url"
          placeholder="https://"
          {...register('avatarUrl', {
            validate: (text) =>
              text.trim() === '' ||
              /^(https|ipfs):\/\/\S+$/.test(text.trim()) ||
              'Begin with https:// or ipfs://.',
            maxLength: { value: 2000, message: 'At most 2,000 characters.' },
          })}
        />
      </Field>
    </>
  )
}
