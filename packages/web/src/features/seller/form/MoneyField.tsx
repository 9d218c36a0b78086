import type { ReactNode } from 'react'
import { type Control, type FieldPath, useController } from 'react-hook-form'
import { Field } from '../../../components/forms/Field.tsx'
import { MoneyInput } from '../../../components/forms/MoneyInput.tsx'
import type { AgentValues, MoneyValue } from './agent-values.ts'

type MoneyPath = Extract<
  FieldPath<AgentValues>,
  'hourlyRateMicro' | 'sessionCapMicro' | 'perTxLimitMicro' | `services.${number}.priceMicro`
>

interface MoneyFieldProps {
  control: Control<AgentValues>
  name: MoneyPath
  label: string
  hint?: ReactNode
  isRequired?: boolean
  /** What else must hold: true, or what is wrong. */
  check?: (amount: bigint | undefined) => true | string
  refusal?: string | undefined
}

/** An amount of the form. What cannot be read as one is said, and never taken for an empty field. */
export function MoneyField({
  control,
  name,
  label,
  hint,
  isRequired = false,
  check,
  refusal,
}: MoneyFieldProps) {
  const { field, fieldState } = useController({
    control,
    name,
    rules: {
      validate: (value: unknown) => {
        if (value === null) return 'Write an amount like 150 or 0.25.'
        const amount = typeof value === 'bigint' ? value : undefined
        if (amount === undefined && isRequired) return 'Enter a price.'
        return check?.(amount) ?? true
      },
    },
  })
  const value: MoneyValue = field.value
  return (
    <Field label={label} hint={hint} isRequired={isRequired} error={fieldState.error?.message ?? refusal}>
      <MoneyInput
        ref={field.ref}
        name={field.name}
        valueMicro={value ?? undefined}
        onBlur={field.onBlur}
        onChangeMicro={(micro, text) => field.onChange(micro ?? (text.trim() === '' ? undefined : null))}
      />
    </Field>
  )
}
