import { TAG_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { type KeyboardEvent, useId, useState } from 'react'
import { Field } from '../../../components/forms/Field.tsx'
import { TextInput } from '../../../components/forms/inputs.tsx'

interface SkillFilterProps {
  known: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

const MAX_SUGGESTIONS = 60

/** Adds one skill after another; an agent must have all of them. Known ones are suggested, any word is taken. */
export function SkillFilter({ known, chosen, onChange }: SkillFilterProps) {
  const listId = useId()
  const [text, setText] = useState('')
  const add = (word: string) => {
    const skill = word.replaceAll(',', ' ').trim()
    setText('')
    if (skill !== '' && !chosen.includes(skill)) onChange([...chosen, skill])
  }
  return (
    <Field label="Skills" hidesOptional>
      <TextInput
        list={listId}
        placeholder="Any"
        autoComplete="off"
        maxLength={TAG_MAX_LENGTH}
        value={text}
        onChange={({ target }) => (known.includes(target.value) ? add(target.value) : setText(target.value))}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key === 'Enter') add(text)
        }}
      />
      <datalist id={listId}>
        {known
          .filter((skill) => !chosen.includes(skill))
          .slice(0, MAX_SUGGESTIONS)
          .map((skill) => (
            <option key={skill} value={skill} />
          ))}
      </datalist>
    </Field>
  )
}
