import { Controller, useFormContext } from 'react-hook-form'
import { Field } from '../../components/forms/Field.tsx'
import { Select, TextInput } from '../../components/forms/inputs.tsx'
import { MoneyInput } from '../../components/forms/MoneyInput.tsx'
import { AgentsField } from './AgentsField.tsx'
import { type CredentialForm, caps, type Term } from './credential-form.ts'

/** What a program may spend and how long, inside a form that has these fields. */
export function CredentialFields({ maySpend, terms }: { maySpend: boolean; terms: readonly Term[] }) {
  const { register } = useFormContext<CredentialForm>()
  return (
    <>
      {maySpend && <BudgetFields />}
      <Field label="It ends" isRequired>
        <Select {...register('expiresInDays')}>
          {terms.map(({ days, words }) => (
            <option key={days} value={days}>
              {words}
            </option>
          ))}
        </Select>
      </Field>
    </>
  )
}

function BudgetFields() {
  const { control, register } = useFormContext<CredentialForm>()
  return (
    <>
      <div className="grid items-end gap-4 sm:grid-cols-2">
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
      </div>
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
