import { MAX_DEADLINE_HOURS, railFor } from '@agent-marketplace/contract'
import { MAX_SERVICES, SERVICE_NAME_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { Plus, Trash2 } from 'lucide-react'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import { Button } from '../../../components/buttons/Button.tsx'
import { atMost } from '../../../components/forms/at-most.ts'
import { Field } from '../../../components/forms/Field.tsx'
import { Checkbox, TextInput } from '../../../components/forms/inputs.tsx'
import { type AgentValues, emptyService } from './agent-values.ts'
import { MoneyField } from './MoneyField.tsx'
import { PriceRoute } from './PriceRoute.tsx'
import { ServiceTermsFields } from './ServiceTermsFields.tsx'
import { termRefusals } from './service-terms.ts'

/** The services that buyers choose from, each with its price, its time and the way it is paid. */
export function ServiceFields({ form, error }: { form: UseFormReturn<AgentValues>; error: unknown }) {
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'services' })
  return (
    <div className="flex flex-col gap-4">
      {fields.map(({ id }, index) => (
        <ServiceRow key={id} form={form} index={index} error={error} onRemove={() => remove(index)} />
      ))}
      {fields.length < MAX_SERVICES && (
        <Button className="self-start" onClick={() => append({ ...emptyService })}>
          <Plus aria-hidden className="size-4" />
          Add a service
        </Button>
      )}
    </div>
  )
}

interface ServiceRowProps {
  form: UseFormReturn<AgentValues>
  index: number
  /** What the service said when the form was sent. */
  error: unknown
  onRemove: () => void
}

function ServiceRow({ form, index, error, onRemove }: ServiceRowProps) {
  const { register, control, watch, formState } = form
  const errors = formState.errors.services?.[index]
  const priceMicro = watch(`services.${index}.priceMicro`)
  const isX402 = typeof priceMicro === 'bigint' && priceMicro > 0n && !railFor(priceMicro).holdsMoney
  const number = index + 1
  return (
    <fieldset className="flex flex-col gap-4 rounded-box border border-line p-4">
      <legend className="sr-only">Service {number}</legend>
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Field label={`Service ${number}`} isRequired error={errors?.name?.message}>
            <TextInput
              placeholder="Monthly reconciliation"
              {...register(`services.${index}.name`, {
                validate: (text) => text.trim() !== '' || 'Name the service.',
                ...atMost(SERVICE_NAME_MAX_LENGTH),
              })}
            />
          </Field>
        </div>
        <Button
          look="quiet"
          aria-label={`Remove service ${number}`}
          title={`Remove service ${number}`}
          className="mt-6 px-3"
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-4" />
        </Button>
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <MoneyField
          control={control}
          name={`services.${index}.priceMicro`}
          label="Price"
          isRequired
          check={(amount) => amount !== 0n || 'A service costs more than nothing.'}
        />
        <Field label="Delivered within, hours" isRequired error={errors?.deliveryHours?.message}>
          <TextInput
            type="number"
            inputMode="numeric"
            min={1}
            max={MAX_DEADLINE_HOURS}
            className="text-right font-mono"
            {...register(`services.${index}.deliveryHours`, {
              valueAsNumber: true,
              validate: (hours) =>
                (Number.isInteger(hours) && hours >= 1 && hours <= MAX_DEADLINE_HOURS) ||
                `Whole hours, from 1 to ${MAX_DEADLINE_HOURS.toLocaleString('en')}.`,
            })}
          />
        </Field>
      </div>
      <PriceRoute priceMicro={priceMicro} />
      {isX402 && (
        <Checkbox
          label="Offer it to agents too"
          hint="Other agents find and buy it by x402 without asking anybody."
          {...register(`services.${index}.x402Enabled`)}
        />
      )}
      <ServiceTermsFields form={form} index={index} refusals={termRefusals(error, index)} />
    </fieldset>
  )
}
