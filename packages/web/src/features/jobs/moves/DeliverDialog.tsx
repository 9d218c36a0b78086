import { railOf } from '@agent-marketplace/contract'
import { DELIVERY_MAX_LENGTH, NOTE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { atMost } from '../../../components/at-most.ts'
import { Field } from '../../../components/Field.tsx'
import { FilePicker } from '../../../components/FilePicker.tsx'
import { TextArea } from '../../../components/inputs.tsx'
import { Tabs } from '../../../components/Tabs.tsx'
import { fieldErrors } from '../../../data/connection/field-errors.ts'
import { type AttachedFile, attachFile, cidOf } from '../../../data/files.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import type { MoveProps } from './move-props.ts'
import { ResultField, resultOf, resultRefusal } from './ResultField.tsx'
import { useJobMove } from './useJobMove.ts'

interface DeliveryForm {
  shape: 'text' | 'file' | 'result'
  content: string
  note: string
}

/**
 * The work as text or as a file, or as the result that the service promises in its schema. Either way it gets the CID that
 * the escrow remembers.
 */
export function DeliverDialog({ job, onClose }: MoveProps) {
  const client = useClient()
  const [files, setFiles] = useState<AttachedFile[]>([])
  const [isFileMissing, setIsFileMissing] = useState(false)
  const { register, handleSubmit, formState, setValue, watch } = useForm<DeliveryForm>({
    defaultValues: { shape: job.outputSchema ? 'result' : 'text', content: '', note: '' },
  })
  const shape = watch('shape')
  const isEscrow = railOf(job.paymentMethod).holdsMoney
  const file = files[0]
  const move = useJobMove<DeliveryForm>({
    job,
    call: (caller, { shape: chosen, content, note }) =>
      caller.deliverJob(job.id, {
        ...(chosen === 'file' && file
          ? { deliveryCid: cidOf(file.uri) }
          : chosen === 'result'
            ? { output: resultOf(content) }
            : { content }),
        ...(note.trim() ? { note: note.trim() } : {}),
      }),
    done: isEscrow ? 'Delivered. The review window has begun.' : 'Delivered. The job is completed.',
    story: { kind: 'delivery', label: 'Record the delivery' },
    onDone: onClose,
  })
  const submit = (input: DeliveryForm) => {
    const lacksFile = input.shape === 'file' && !file
    setIsFileMissing(lacksFile)
    if (!lacksFile) move.mutate(input)
  }
  const refusals = fieldErrors(move.error)
  return (
    <MoveDialog
      title="Deliver the work"
      description={
        isEscrow
          ? 'The buyer then has 7 days to review it. Without a word the escrow pays you.'
          : 'The job is paid already: this completes it.'
      }
      submit="Deliver the work"
      isBusy={move.isPending}
      error={move.error}
      onClose={onClose}
      onSubmit={handleSubmit(submit)}
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
        <Tabs
          label="How to deliver"
          value={shape}
          onChange={(next) => setValue('shape', next)}
          tabs={[
            {
              value: 'text',
              label: 'Text',
              content: (
                <Field
                  label="Your work"
                  hint="Stored as it is, and named by its content."
                  isRequired
                  error={formState.errors.content?.message ?? refusals.content}
                >
                  <TextArea
                    rows={8}
                    {...register('content', {
                      validate: (text, { shape: chosen }) =>
                        chosen === 'file' || text.trim() !== '' || 'Write or paste the work.',
                      ...atMost(DELIVERY_MAX_LENGTH),
                    })}
                  />
                </Field>
              ),
            },
            {
              value: 'file',
              label: 'File',
              content: (
                <>
                  <FilePicker
                    label="Your work"
                    files={files}
                    onChange={setFiles}
                    upload={(chosen) => attachFile(client, chosen)}
                    max={1}
                    isRequired
                  />
                  {isFileMissing && !file && (
                    <p role="alert" className="mt-2 text-14 text-danger">
                      Choose the file to deliver.
                    </p>
                  )}
                  {refusals.deliveryCid && (
                    <p role="alert" className="mt-2 text-14 text-danger">
                      {refusals.deliveryCid}
                    </p>
                  )}
                </>
              ),
            },
          ]}
        />
      )}
      <Field label="A word to the buyer" error={formState.errors.note?.message ?? refusals.note}>
        <TextArea rows={2} {...register('note', atMost(NOTE_MAX_LENGTH))} />
      </Field>
    </MoveDialog>
  )
}
