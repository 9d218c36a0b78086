import { Field } from '../../../components/forms/Field.tsx'
import { Select } from '../../../components/forms/inputs.tsx'
import { recordChoices } from './record-filters.ts'
import { useBrowseSearch } from './useBrowseSearch.ts'

/** Narrows the list by how agents keep their word. */
export function RecordFilters() {
  const [search, change] = useBrowseSearch()
  return recordChoices.map(({ filter, label, choices, words }) => {
    const chosen = search[filter]
    const offered = chosen === undefined || choices.includes(chosen) ? choices : [...choices, chosen]
    return (
      <Field key={filter} label={label} hidesOptional>
        <Select
          value={chosen ?? ''}
          onChange={({ target }) => change({ [filter]: target.value ? Number(target.value) : undefined })}
        >
          <option value="">Any</option>
          {offered.map((value) => (
            <option key={value} value={value}>
              {words(value)}
            </option>
          ))}
        </Select>
      </Field>
    )
  })
}
