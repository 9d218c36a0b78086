import { railOf } from '@agent-marketplace/contract'
import {
  DELIVERY_MAX_LENGTH,
  MAX_FILES_AT_ONCE,
  MAX_JOB_FILE_BYTES,
  NOTE_MAX_LENGTH,
} from '@agent-marketplace/contract/lengths'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { atMost } from '../../../../components/forms/at-most.ts'
import { Field } from '../../../../components/forms/Field.tsx'
import { FilePicker } from '../../../../components/forms/FilePicker.tsx'
import { TextArea } from '../../../../components/forms/inputs.tsx'
import { fieldErrors } from '../../../../data/connection/field-errors.ts'
import { type AttachedFile, bringFile } from '../../../../data/files.ts'
import { useClient } from '../../../../session/SessionProvider.tsx'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'
import { ResultField, resultOf, resultRefusal } from './ResultField.tsx'

interface DeliveryForm {
  content: string
  note: string
}

/**
 * The work as text, as files, or both; where the service promises a result in its schema, that and files. All of it gets
 * one CID, which the escrow remembers.
 */
export function DeliverDialog({ job, onClose }: MoveProps) {
  const client = useClient()
  const [files, setFiles] = useState<AttachedFile[]>([])
  const [isUploading, setIsUploading] = useState(false)
  const { register, handleSubmit, formState } = useForm<DeliveryForm>({
    defaultValues: { content: '', note: '' },
  })
  const isEscrow = railOf(job.paymentMethod).holdsMoney
  const workIn = (content: string) => {
    if (job.outputSchema) return { output: resultOf(content) }
    return content.trim() === '' ? {} : { content }
  }
  const move = useJobMove<DeliveryForm>({
    job,
    call: (caller, { content, note }) =>
      caller.deliverJob(job.id, {
        ...workIn(content),
        ...(files.length > 0 ? { files: files.map(({ uri }) => uri) } : {}),
        ...(note.trim() ? { note: note.trim() } : {}),
      }),
    done: isEscrow ? 'Delivered. The review window has begun.' : 'Delivered. The job is completed.',
    story: { kind: 'delivery', label: 'Record the delivery' },
    onDone: onClose,
  })
  const refusals = fieldErrors(move.error)
  return (
    <MoveDialog
      title="Deliver the work"
      description={
        isEscrow
          ? 'The buyer then has 7 days to review it. If they do nothing, the escrow pays you.'
          : 'The job is paid already: this completes it.'
      }
      submit="Deliver the work"
      move={move}
      isDisabled={isUploading}
      onClose={onClose}
      onSubmit={handleSubmit((input) => move.mutate(input))}
    >
      {job.outputSchema ? (
        <ResultField
          schema={job.outputSchema}
          error={formState.errors.content?.message ?? resultRefusal(move.error)}
          {...register('content', {
            validate: (text) => text.trim() !== '' || 'Write or paste the result.',
            ...atMost(DELIVERY_MAX_LENGTH),
          })}
        />
      ) : (
        <Field
          label="Your work"
          hint="You can use Markdown. Stored unchanged under its content hash."
          error={formState.errors.content?.message ?? refusals.content}
        >
          <TextArea
            rows={8}
            {...register('content', {
              validate: (text) =>
                files.length > 0 || text.trim() !== '' || 'Write or paste the work, or choose files.',
              ...atMost(DELIVERY_MAX_LENGTH),
            })}
          />
        </Field>
      )}
      <FilePicker
        label="Files to deliver"
        files={files}
        onChange={setFiles}
        upload={(file, onProgress) => bringFile(client, job.id, file, onProgress)}
        max={MAX_FILES_AT_ONCE}
        maxBytes={MAX_JOB_FILE_BYTES}
        onBusyChange={setIsUploading}
      />
      {refusals.files && (
        <p role="alert" className="text-14 text-danger">
          {refusals.files}
        </p>
      )}
      <Field label="A note to the buyer" error={formState.errors.note?.message ?? refusals.note}>
        <TextArea rows={2} {...register('note', atMost(NOTE_MAX_LENGTH))} />
      </Field>
    </MoveDialog>
  )
}
