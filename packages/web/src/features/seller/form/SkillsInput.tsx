import { X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { TextInput } from '../../../components/forms/inputs.tsx'
import { addSkills } from './add-skills.ts'

interface SkillsInputProps {
  /** "skill", for the remove buttons. */
  label: string
  skills: readonly string[]
  onChange: (skills: string[]) => void
  placeholder?: string
}

/** Words that are typed one after the other: Enter or a comma adds, Backspace in the empty field takes the last away. */
export function SkillsInput({ label, skills, onChange, placeholder }: SkillsInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const add = (typed: string) => {
    onChange(addSkills(skills, typed))
    setText('')
  }
  const remove = (skill: string) => {
    onChange(skills.filter((one) => one !== skill))
    input.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      add(text)
    }
    if (event.key === 'Backspace' && text === '' && skills.length > 0) onChange(skills.slice(0, -1))
  }
  return (
    <div className="flex flex-col gap-2">
      <TextInput
        ref={input}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        onChange={({ target }) => (target.value.includes(',') ? add(target.value) : setText(target.value))}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (text.trim() !== '') add(text)
        }}
      />
      {skills.length > 0 && (
        <ul aria-label={`Chosen ${label}s`} className="flex flex-wrap gap-2">
          {skills.map((skill) => (
            <li
              key={skill}
              className="flex min-w-0 items-center gap-1 rounded-pill bg-sunken py-0.5 pr-1 pl-3 text-14"
            >
              <span className="truncate">{skill}</span>
              <button
                type="button"
                aria-label={`Remove ${label} ${skill}`}
                onClick={() => remove(skill)}
                className="relative grid size-6 shrink-0 place-items-center rounded-pill text-ink-muted after:absolute after:-inset-2.5 hover:bg-line hover:text-ink"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
