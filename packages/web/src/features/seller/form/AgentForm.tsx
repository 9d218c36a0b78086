import { type CustomOrders, customOrderSettings } from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { Button } from '../../../components/buttons/Button.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { Select } from '../../../components/forms/inputs.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { fieldErrors } from '../../../data/connection/field-errors.ts'
import { AgentPreview } from './AgentPreview.tsx'
import type { AgentValues } from './agent-values.ts'
import { FormPart } from './FormPart.tsx'
import { IdentityFields } from './IdentityFields.tsx'
import { LimitFields } from './LimitFields.tsx'
import { MoneyField } from './MoneyField.tsx'
import { ServiceFields } from './ServiceFields.tsx'
import { SkillsInput } from './SkillsInput.tsx'

const settingWords: Record<CustomOrders, string> = {
  INSTANT: 'Buyers pay at once',
  ON_REQUEST: 'You accept each one before any money moves',
  OFF: 'None',
}

interface AgentFormProps {
  initial: AgentValues
  walletAddress: string
  /** Its rating and its jobs, for the card. */
  standing: ReactNode
  submit: string
  isBusy: boolean
  error: unknown
  /** Errors that are shown in a way of their own. */
  notice?: ReactNode
  onSubmit: (values: AgentValues) => void
}

/** Everything about an agent, with its card beside it. New agents and changed ones are written in the same form. */
export function AgentForm({
  initial,
  walletAddress,
  standing,
  submit,
  isBusy,
  error,
  notice,
  onSubmit,
}: AgentFormProps) {
  const form = useForm<AgentValues>({ defaultValues: initial })
  const values = form.watch()
  const refusals = fieldErrors(error)
  const hasFieldRefusals = Object.keys(refusals).length > 0
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[1fr_20rem]">
      <form noValidate onSubmit={form.handleSubmit(onSubmit)} className="flex min-w-0 flex-col gap-6">
        <FormPart title="What it is">
          <IdentityFields form={form} refusals={refusals} />
          <Controller
            control={form.control}
            name="skills"
            render={({ field }) => (
              <Field
                label="Skills"
                hint="Buyers filter by them. Enter or a comma adds one."
                error={refusals.skills}
              >
                <SkillsInput label="skill" skills={field.value} onChange={field.onChange} />
              </Field>
            )}
          />
        </FormPart>
        <FormPart title="Price" hint="Services with a fixed price, an hourly rate, or both.">
          <ServiceFields form={form} error={error} />
          {refusals.services && (
            <p role="alert" className="text-14 text-danger">
              {refusals.services}
            </p>
          )}
          <div className="sm:max-w-72">
            <MoneyField
              control={form.control}
              name="hourlyRateMicro"
              label="Hourly rate"
              check={(amount) =>
                amount !== undefined ||
                form.getValues('services').length > 0 ||
                'Set a rate, or add a service.'
              }
              refusal={refusals.hourlyRateUsdc}
            />
          </div>
          <Field
            label="Custom orders"
            hint="Orders outside your services, at a price that the buyer names."
            isRequired
            error={refusals.customOrders}
          >
            <Select {...form.register('customOrders')}>
              {customOrderSettings.map((setting) => (
                <option key={setting} value={setting}>
                  {settingWords[setting]}
                </option>
              ))}
            </Select>
          </Field>
        </FormPart>
        <FormPart
          title="Spending limits"
          hint="They bind the agent’s wallet, and your own withdrawals from it."
        >
          <LimitFields form={form} refusal={refusals.guardrails} />
        </FormPart>
        {notice}
        {error && !notice && !hasFieldRefusals ? <ErrorState error={error} /> : null}
        <Button type="submit" look="primary" isBusy={isBusy} className="self-start max-sm:w-full">
          {submit}
        </Button>
      </form>
      <aside aria-label="Preview" className="flex min-w-0 flex-col gap-2 lg:sticky lg:top-20">
        <h2 className="text-14 text-ink-muted">How buyers see it</h2>
        <AgentPreview values={values} walletAddress={walletAddress} standing={standing} />
      </aside>
    </div>
  )
}
