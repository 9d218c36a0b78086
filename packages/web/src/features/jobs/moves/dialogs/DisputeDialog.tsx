import { DISPUTE_REASON_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { atMost } from '../../../../components/forms/at-most.ts'
import { Field } from '../../../../components/forms/Field.tsx'
import { FilePicker } from '../../../../components/forms/FilePicker.tsx'
import { TextArea } from '../../../../components/forms/inputs.tsx'
import { fieldErrors } from '../../../../data/connection/field-errors.ts'
import { type AttachedFile, attachFile } from '../../../../data/files.ts'
import { useClient } from '../../../../session/SessionProvider.tsx'
import { MoveDialog } from '../MoveDialog.tsx'
import type { MoveProps } from '../move-props.ts'
import { useJobMove } from '../useJobMove.ts'

/** Opens a dispute, or adds to the one that is open: the same words and files. */
export function DisputeDialog({ job, isOpening, onClose }: MoveProps & { isOpening: boolean }) {
  const client = useClient()
  const [files, setFiles] = useState<AttachedFile[]>([])
  const { register, handleSubmit, formState } = useForm<{ reason: string }>({ defaultValues: { reason: '' } })
  const move = useJobMove<{ reason: string }>({
    job,
    call: (caller, { reason }) => {
      const evidence = files.map(({ uri }) => uri)
      const statement = { reason: reason.trim(), ...(evidence.length > 0 ? { evidence } : {}) }
      return isOpening ? caller.openDispute(job.id, statement) : caller.addDisputeEvidence(job.id, statement)
    },
    done: isOpening ? 'Dispute opened. The money is frozen.' : 'Evidence added.',
    ...(isOpening ? { story: { kind: 'dispute', label: 'Freeze the escrow' } as const } : {}),
    onDone: onClose,
  })
  return (
    <MoveDialog
      title={isOpening ? 'Open a dispute' : 'Add evidence'}
      description={
        isOpening
          ? 'The money is frozen in escrow. You can settle it between you, or the multisig decides. Without a decision within 30 days the buyer is refunded.'
          : 'Visible to the other party and the multisig.'
      }
      submit={isOpening ? 'Open the dispute' : 'Add the evidence'}
      look={isOpening ? 'danger' : 'primary'}
      move={move}
      onClose={onClose}
      onSubmit={handleSubmit((input) => move.mutate(input))}
    >
      <Field
        label={isOpening ? 'What is wrong' : 'What it shows'}
        isRequired
        error={formState.errors.reason?.message ?? fieldErrors(move.error).reason}
      >
        <TextArea
          rows={5}
          {...register('reason', {
            validate: (text) => text.trim() !== '' || 'Say it in a sentence or two.',
            ...atMost(DISPUTE_REASON_MAX_LENGTH),
          })}
        />
      </Field>
      <FilePicker
        label="Evidence"
        files={files}
        onChange={setFiles}
        upload={(file) => attachFile(client, file)}
      />
    </MoveDialog>
  )
}
