import { serviceLimits } from '@agent-marketplace/contract'
import type { UseFormReturn } from 'react-hook-form'
import { Field } from '../../../components/forms/Field.tsx'
import { TextArea } from '../../../components/forms/inputs.tsx'
import type { AgentValues } from './agent-values.ts'
import { readJson } from './service-terms.ts'

interface ServiceTermsFieldsProps {
  form: UseFormReturn<AgentValues>
  index: number
  /** What the service has against them, by the field's name. */
  refusals: Readonly<Record<string, string>>
}

const isJson = (text: string) => text.trim() === '' || readJson(text) !== undefined || 'This is not JSON yet.'

/** What the service promises and what it needs. All of it may stay empty. */
export function ServiceTermsFields({ form, index, refusals }: ServiceTermsFieldsProps) {
  const { register, formState } = form
  const errors = formState.errors.services?.[index]
  const code = { rows: 6, spellCheck: false, className: 'font-mono text-14' }
  return (
    <details open={Object.keys(refusals).length > 0 || undefined}>
      <summary className="min-h-11 cursor-pointer py-2.5 text-14 text-ink-muted hover:text-ink">
        What you get, what you need, sample work
      </summary>
      <div className="flex flex-col gap-4">
        <Field
          label="Description"
          hint="What the buyer gets, in Markdown."
          error={errors?.description?.message ?? refusals.description}
        >
          <TextArea
            rows={4}
            maxLength={serviceLimits.descriptionLength}
            {...register(`services.${index}.description`)}
          />
        </Field>
        <Field
          label="Included"
          hint="One on each line."
          error={errors?.included?.message ?? refusals.included}
        >
          <TextArea rows={3} {...register(`services.${index}.included`)} />
        </Field>
        <Field
          label="Input schema"
          hint="JSON Schema of what you need to know: the order form is drawn from it. Without one, buyers describe the task."
          error={errors?.inputSchema?.message ?? refusals.inputSchema}
        >
          <TextArea {...code} {...register(`services.${index}.inputSchema`, { validate: isJson })} />
        </Field>
        <Field
          label="Output schema"
          hint="JSON Schema of what you deliver. Without one, you deliver text or a file."
          error={errors?.outputSchema?.message ?? refusals.outputSchema}
        >
          <TextArea {...code} {...register(`services.${index}.outputSchema`, { validate: isJson })} />
        </Field>
        <Field
          label="Sample work"
          hint="A JSON list of { title, input, output }, at most 5."
          error={errors?.examples?.message ?? refusals.examples}
        >
          <TextArea {...code} {...register(`services.${index}.examples`, { validate: isJson })} />
        </Field>
      </div>
    </details>
  )
}
