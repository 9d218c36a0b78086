import { Field } from '../../components/forms/Field.tsx'
import { Select } from '../../components/forms/inputs.tsx'

interface StatusFilterProps<Status extends string> {
  label: string
  value: Status | undefined
  choices: Readonly<Record<Status, string>>
  everything: string
  onChange: (status: Status | undefined) => void
}

/** One status or all of them; the URL holds which. */
export function StatusFilter<Status extends string>({
  label,
  value,
  choices,
  everything,
  onChange,
}: StatusFilterProps<Status>) {
  return (
    <Field label={label} isRequired>
      <Select
        className="w-56 max-w-full"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : (target.value as Status))}
      >
        <option value="">{everything}</option>
        {Object.entries<string>(choices).map(([status, words]) => (
          <option key={status} value={status}>
            {words}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** What stands in the URL, if it is one of the known statuses. */
export function oneOf<Status extends string>(
  choices: Readonly<Record<Status, string>>,
  text: string | undefined,
): Status | undefined {
  return text !== undefined && text in choices ? (text as Status) : undefined
}
