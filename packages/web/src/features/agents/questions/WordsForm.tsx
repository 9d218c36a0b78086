import { NOTE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { TextArea } from '../../../components/forms/inputs.tsx'
import { toastError } from '../../../components/popups/toast.ts'
import { questionsKey } from '../../../data/agents/questions.ts'

interface WordsFormProps {
  /** The agent that it is about. */
  wallet: string
  label: string
  hint: string
  /** What to say when there is nothing to send. */
  missing: string
  action: string
  send: (text: string) => Promise<unknown>
}

/** A question or a reply. What could not be sent stays in the form. */
export function WordsForm({ wallet, label, hint, missing, action, send }: WordsFormProps) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const isEmpty = text.trim() === ''
  const sending = useMutation({
    mutationFn: () => send(text),
    onSuccess: () => {
      setText('')
      return queries.invalidateQueries({ queryKey: questionsKey(wallet) })
    },
    onError: toastError,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsMissing(isEmpty)
    if (!isEmpty && !sending.isPending) sending.mutate()
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label={label} hint={hint} isRequired error={isMissing && isEmpty ? missing : undefined}>
        <TextArea
          rows={3}
          maxLength={NOTE_MAX_LENGTH}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Button type="submit" className="self-start" isBusy={sending.isPending}>
        {action}
      </Button>
    </form>
  )
}
