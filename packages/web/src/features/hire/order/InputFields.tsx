import { Field } from '../../../components/forms/Field.tsx'
import { Checkbox, Select, TextArea, TextInput } from '../../../components/forms/inputs.tsx'
import type { SchemaField } from '../../../data/schemas/schema-fields.ts'
import { type FieldTexts, inWords, textOf } from '../../../data/schemas/schema-input.ts'

interface InputFieldsProps {
  fields: readonly SchemaField[]
  texts: FieldTexts
  /** What is wrong, by the field's pointer. */
  problems: Readonly<Record<string, string>>
  onChange: (path: string, text: string) => void
}

/** What a service wants to know, drawn from its input schema. */
export function InputFields({ fields, texts, problems, onChange }: InputFieldsProps) {
  return fields.map((field) =>
    field.kind === 'group' ? (
      <fieldset key={field.path} className="flex flex-col gap-4 rounded-box border border-line p-4">
        <legend className="px-1 text-14 font-medium">
          {field.label}
          {!field.isRequired && <span className="ml-1 font-normal text-ink-faint">optional</span>}
        </legend>
        {field.hint && <p className="text-14 text-ink-muted">{field.hint}</p>}
        {problems[field.path] && (
          <p role="alert" className="text-14 text-danger">
            {problems[field.path]}
          </p>
        )}
        <InputFields fields={field.fields} texts={texts} problems={problems} onChange={onChange} />
      </fieldset>
    ) : field.kind === 'flag' ? (
      <div key={field.path} className="flex flex-col">
        <Checkbox
          label={field.label}
          hint={field.hint}
          name={field.path}
          checked={textOf(field, texts) === 'true'}
          onChange={({ target }) => onChange(field.path, String(target.checked))}
        />
        {problems[field.path] && (
          <p role="alert" className="text-14 text-danger">
            {problems[field.path]}
          </p>
        )}
      </div>
    ) : (
      <Field
        key={field.path}
        label={field.label}
        hint={hintOf(field)}
        isRequired={field.isRequired}
        error={problems[field.path]}
      >
        <Control field={field} text={textOf(field, texts)} onChange={(text) => onChange(field.path, text)} />
      </Field>
    ),
  )
}

interface ControlProps {
  field: SchemaField
  text: string
  onChange: (text: string) => void
}

function Control({ field, text, onChange }: ControlProps) {
  const shared = {
    name: field.path,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  }
  switch (field.kind) {
    case 'choice':
      return (
        <Select {...shared}>
          <option value="">Choose one</option>
          {field.options.map((option) => (
            <option key={option} value={option}>
              {inWords(option)}
            </option>
          ))}
        </Select>
      )
    case 'number':
      return (
        <TextInput
          {...shared}
          type="number"
          inputMode={field.isInteger ? 'numeric' : 'decimal'}
          step={field.isInteger ? 1 : 'any'}
          min={field.min}
          max={field.max}
          className="max-w-60"
        />
      )
    case 'text':
      return field.isLong ? (
        <TextArea {...shared} rows={5} maxLength={field.maxLength} />
      ) : (
        <TextInput {...shared} type={field.type} maxLength={field.maxLength} />
      )
    case 'list':
      return <TextArea {...shared} rows={3} />
    default:
      return <TextArea {...shared} rows={5} spellCheck={false} className="font-mono text-14" />
  }
}

function hintOf({ kind, hint }: SchemaField): string | undefined {
  const how = kind === 'list' ? 'One on each line.' : kind === 'json' ? 'Written as JSON.' : undefined
  return [hint, how].filter(Boolean).join(' ') || undefined
}
