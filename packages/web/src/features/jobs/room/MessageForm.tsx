import {
  MAX_FILES_AT_ONCE,
  MAX_JOB_FILE_BYTES,
  MESSAGE_MAX_LENGTH,
} from '@agent-marketplace/contract/lengths'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { Field } from '../../../components/forms/Field.tsx'
import { FilePicker } from '../../../components/forms/FilePicker.tsx'
import { TextArea } from '../../../components/forms/inputs.tsx'
import { toastError } from '../../../components/popups/toast.ts'
import { type AttachedFile, bringFile } from '../../../data/files.ts'
import { useClient } from '../../../session/SessionProvider.tsx'

/** What could not be sent stays in the form. */
export function MessageForm({ jobId }: { jobId: string }) {
  const client = useClient()
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const [files, setFiles] = useState<AttachedFile[]>([])
  const [isUploading, setIsUploading] = useState(false)
  const [isMissing, setIsMissing] = useState(false)
  const isEmpty = text.trim() === '' && files.length === 0
  const sending = useMutation({
    mutationFn: () =>
      client.sendJobMessage(jobId, {
        ...(text.trim() === '' ? {} : { text }),
        files: files.map(({ uri }) => uri),
      }),
    onSuccess: () => {
      setText('')
      setFiles([])
      return queries.invalidateQueries({ queryKey: ['jobs', 'messages', jobId] })
    },
    onError: toastError,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsMissing(isEmpty)
    if (!isEmpty && !isUploading && !sending.isPending) sending.mutate()
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field
        label="Your message"
        hidesOptional
        hint="You can use Markdown. The other party is notified."
        error={isMissing && isEmpty ? 'Write a message or choose files first.' : undefined}
      >
        <TextArea
          rows={3}
          maxLength={MESSAGE_MAX_LENGTH}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <FilePicker
        label="Files to send along"
        files={files}
        onChange={setFiles}
        upload={(file, onProgress) => bringFile(client, jobId, file, onProgress)}
        max={MAX_FILES_AT_ONCE}
        maxBytes={MAX_JOB_FILE_BYTES}
        onBusyChange={setIsUploading}
      />
      <Button type="submit" className="self-start" isBusy={sending.isPending} isDisabled={isUploading}>
        Send message
      </Button>
    </form>
  )
}
