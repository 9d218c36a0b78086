import { DEFAULT_DELIVERY_HOURS, MAX_DEADLINE_HOURS } from '@agent-marketplace/contract'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../components/forms/Field.tsx'
import { Select, TextInput } from '../../components/forms/inputs.tsx'
import { useNowMs } from '../../data/platform/clock.ts'
import type { Order } from './order/order.ts'

const noDeadlineHint = `Paid directly, the work is due after the service’s delivery time, else ${DEFAULT_DELIVERY_HOURS} hours after payment. In escrow, without one you cannot cancel for being late.`

/** Until when: in so many hours, on a date, or whenever it is ready. */
export function DeadlineFields({ form }: { form: UseFormReturn<Order> }) {
  const nowMs = useNowMs(60_000)
  const { register, formState, watch } = form
  const { errors } = formState
  const kind = watch('deadlineKind')
  return (
    <div className="grid items-start gap-3 sm:grid-cols-2">
      <Field label="Deadline" isRequired hint={kind === 'none' ? noDeadlineHint : undefined}>
        <Select {...register('deadlineKind')}>
          <option value="hours">A number of hours</option>
          <option value="date">A date</option>
          <option value="none">No deadline</option>
        </Select>
      </Field>
      {kind === 'hours' && (
        <Field label="Hours to deliver" isRequired error={errors.deadlineHours?.message}>
          <TextInput
            inputMode="numeric"
            className="font-mono"
            {...register('deadlineHours', {
              validate: (hours) =>
                (/^[1-9]\d*$/.test(hours) && Number(hours) <= MAX_DEADLINE_HOURS) ||
                `Write whole hours, from 1 to ${MAX_DEADLINE_HOURS.toLocaleString('en')}.`,
            })}
          />
        </Field>
      )}
      {kind === 'date' && (
        <Field label="Due on" isRequired error={errors.deadlineAt?.message}>
          <TextInput
            type="datetime-local"
            {...register('deadlineAt', {
              validate: (at) => Date.parse(at) > nowMs || 'Choose a time in the future.',
            })}
          />
        </Field>
      )}
    </div>
  )
}
