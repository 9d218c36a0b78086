import type { ReactNode } from 'react'
import { Field } from '../forms/Field.tsx'
import { Select, TextInput } from '../forms/inputs.tsx'
import { useDraft } from '../forms/useDraft.ts'
import { DensitySwitch } from './DensitySwitch.tsx'

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
  /** What is to be said about the words that are typed, such as that they are too many. */
  noteOn?: (text: string) => string | undefined
  pauseMs?: number
}

/** Words to look for. They are passed on after a pause. */
export function SearchField({ label, placeholder, value, onChange, noteOn, pauseMs }: SearchFieldProps) {
  const [draft, setDraft] = useDraft(value, (text) => onChange(text.trim()), pauseMs)
  return (
    <Field label={label} hint={noteOn?.(draft)} hidesOptional>
      <TextInput
        type="search"
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
        placeholder={placeholder}
        maxLength={200}
        spellCheck={false}
        autoComplete="off"
      />
    </Field>
  )
}

interface SortFieldProps<Sort extends string> {
  words: Record<Sort, string>
  value: Sort
  onChange: (value: Sort) => void
}

/** The order of a list. The heads of its columns change it, too; on a phone they are not there. */
export function SortField<Sort extends string>({ words, value, onChange }: SortFieldProps<Sort>) {
  return (
    <Field label="Order" hidesOptional>
      <Select value={value} onChange={({ target }) => onChange(target.value as Sort)}>
        {(Object.keys(words) as Sort[]).map((sort) => (
          <option key={sort} value={sort}>
            {words[sort]}
          </option>
        ))}
      </Select>
    </Field>
  )
}

/** What narrows and orders a list, in one row above it. */
export function ListTools({ children, actions }: { children: ReactNode; actions?: ReactNode }) {
  return (
    <search className="flex flex-wrap items-end gap-3">
      <div className="grid min-w-0 flex-1 basis-72 grid-cols-2 items-end gap-3 sm:grid-cols-[minmax(12rem,2fr)_repeat(auto-fit,minmax(9rem,1fr))] max-sm:[&>:first-child]:col-span-2">
        {children}
      </div>
      <div className="flex flex-wrap items-center gap-1 max-sm:w-full">
        <DensitySwitch />
        {actions}
      </div>
    </search>
  )
}
