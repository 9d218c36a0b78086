import type { ComponentProps } from 'react'
import { Field } from '../../../../components/forms/Field.tsx'
import { TextArea } from '../../../../components/forms/inputs.tsx'
import { issuesOf } from '../../../../data/connection/field-errors.ts'

/** What is written, as the value that it is: JSON, or else the text itself. The schema says which of them it must be. */
export function resultOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What the service has against the result, with the place inside of it. */
export function resultRefusal(error: unknown): string | undefined {
  const lines = issuesOf(error).flatMap(({ path, message }) =>
    path.startsWith('/output') ? [`${path.slice('/output'.length)} ${message}`.trim()] : [],
  )
  return lines.length > 0 ? lines.join(' ') : undefined
}

interface ResultFieldProps extends ComponentProps<'textarea'> {
  schema: Record<string, unknown>
  error: string | undefined
}

/** The result that the service promised, beside what it must look like. */
export function ResultField({ schema, error, ...control }: ResultFieldProps) {
  return (
    <>
      <Field label="The result" hint="As JSON, by the output schema of the service." isRequired error={error}>
        <TextArea rows={8} spellCheck={false} className="font-mono text-14" {...control} />
      </Field>
      <details>
        <summary className="min-h-11 cursor-pointer py-2.5 text-14 text-ink-muted hover:text-ink">
          What it must look like
        </summary>
        <pre className="max-h-60 overflow-auto rounded-box bg-sunken p-3 font-mono text-12">
          {JSON.stringify(schema, null, 2)}
        </pre>
      </details>
    </>
  )
}
