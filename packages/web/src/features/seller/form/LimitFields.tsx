import { Controller, type UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/forms/Field.tsx'
import type { AgentValues } from './agent-values.ts'
import { MoneyField } from './MoneyField.tsx'
import { SkillsInput } from './SkillsInput.tsx'

interface LimitFieldsProps {
  form: UseFormReturn<AgentValues>
  refusal: string | undefined
}

/** What may leave the agent's wallet: they hold for withdrawals and for whatever else the service pays from it. */
export function LimitFields({ form: { control, getValues }, refusal }: LimitFieldsProps) {
  return (
    <div className="flex flex-col gap-5">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <MoneyField
          control={control}
          name="sessionCapMicro"
          label="Limit in 24 hours"
          hint="Empty: no limit."
          refusal={refusal}
        />
        <MoneyField
          control={control}
          name="perTxLimitMicro"
          label="Limit for one transfer"
          hint="Empty: no limit."
          check={(amount) => {
            const cap = getValues('sessionCapMicro')
            const isOver = amount !== undefined && typeof cap === 'bigint' && amount > cap
            return !isOver || 'More than the limit in 24 hours.'
          }}
        />
      </div>
      <Controller
        control={control}
        name="allowedSkills"
        render={({ field }) => (
          <Field label="Skills that it may pay for" hint="Empty: all. Enter or a comma adds one.">
            <SkillsInput label="allowed skill" skills={field.value} onChange={field.onChange} />
          </Field>
        )}
      />
    </div>
  )
}
