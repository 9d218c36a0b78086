import { createContext, type ReactNode, useContext, useId } from 'react'

interface FieldWiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  'aria-required': true | undefined
}

const FieldContext = createContext<FieldWiring | undefined>(undefined)

/** The attributes that tie a control to its field's label, hint and error. */
export function useFieldWiring(): Partial<FieldWiring> {
  return useContext(FieldContext) ?? {}
}

export interface FieldProps {
  label: ReactNode
  /** A line under the label that helps before anything is wrong. */
  hint?: ReactNode
  /** What is wrong and how to put it right. */
  error?: string | undefined
  isRequired?: boolean
  /** For filters, where nothing is required and so nothing has to be called optional. */
  hidesOptional?: boolean
  children: ReactNode
}

/** Label, hint and error around one control. */
export function Field({
  label,
  hint,
  error,
  isRequired = false,
  hidesOptional = false,
  children,
}: FieldProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  const wiring: FieldWiring = {
    id,
    'aria-describedby': describedBy || undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': isRequired || undefined,
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-14 font-medium">
        {label}
        {!isRequired && !hidesOptional && <span className="ml-1 font-normal text-ink-faint">optional</span>}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-14 text-ink-muted">
          {hint}
        </p>
      )}
      <FieldContext value={wiring}>{children}</FieldContext>
      {error && (
        <p id={`${id}-error`} role="alert" className="text-14 text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
