import { Controller, useFormContext } from 'react-hook-form'
import { Field } from '../../components/Field.tsx'
import { TextInput } from '../../components/inputs.tsx'
import { MoneyInput } from '../../components/MoneyInput.tsx'
import { AgentsField } from './AgentsField.tsx'
import { type BudgetForm, caps } from './budget-form.ts'

/** What a program may spend, inside a form that has these fields. */
export function BudgetFields() {
  const { control, register } = useFormContext<BudgetForm>()
  return (
    <>
      {caps.map(([cap, label]) => (
        <Field key={cap} label={label}>
          <Controller
            control={control}
            name={cap}
            render={({ field }) => (
              <MoneyInput valueMicro={field.value} onChangeMicro={field.onChange} onBlur={field.onBlur} />
            )}
          />
        </Field>
      ))}
      <AgentsField />
      <Field
        label="Allowed categories"
        hint="Separated by commas. With neither agents nor categories, it may hire every agent."
      >
        <TextInput {...register('categories')} placeholder="finance, data" autoComplete="off" />
      </Field>
    </>
  )
}
