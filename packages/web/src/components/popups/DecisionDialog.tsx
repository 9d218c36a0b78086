import { NOTE_MAX_LENGTH } from '@agent-marketplace/contract/lengths'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { fieldErrors } from '../../data/connection/field-errors.ts'
import { Button } from '../buttons/Button.tsx'
import { atMost } from '../forms/at-most.ts'
import { Field } from '../forms/Field.tsx'
import { TextArea } from '../forms/inputs.tsx'
import { ErrorState } from '../page/ErrorState.tsx'
import { Dialog } from './Dialog.tsx'
import { toastDone } from './toast.ts'

interface DecisionDialogProps {
  /** On the button that opens it, and on the one that decides. */
  verb: string
  /** Whom or what it is about, so that screen readers can distinguish the buttons of a list. */
  subject: string
  /** What it brings about. */
  description: string
  done: string
  isDanger?: boolean
  /** Whether those whom it concerns read the reason; otherwise it stays in the console. */
  isSentToOwner?: boolean
  /** What is read again besides the console. */
  changes?: QueryKey
  decide: (reason: string) => Promise<unknown>
}

/** An administrator's decision. Its reason is sent to the owner and kept in the audit log. */
export function DecisionDialog({
  verb,
  subject,
  description,
  done,
  isDanger = false,
  isSentToOwner = true,
  changes,
  decide,
}: DecisionDialogProps) {
  const queries = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const form = useForm({ defaultValues: { reason: '' } })
  const decision = useMutation({
    mutationFn: ({ reason }: { reason: string }) => decide(reason),
    onSuccess: async () => {
      setIsOpen(false)
      toastDone(done)
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['admin'] }),
        changes && queries.invalidateQueries({ queryKey: changes }),
      ])
    },
  })
  const changeOpen = (open: boolean) => {
    setIsOpen(open)
    if (!open) return
    form.reset()
    decision.reset()
  }
  const reasonError = form.formState.errors.reason?.message ?? fieldErrors(decision.error).reason
  return (
    <Dialog
      title={`${verb} ${subject}`}
      description={description}
      isOpen={isOpen}
      onOpenChange={changeOpen}
      trigger={
        <Button size="small" aria-label={`${verb} ${subject}`}>
          {verb}
        </Button>
      }
      actions={
        <Button
          look={isDanger ? 'danger' : 'primary'}
          isBusy={decision.isPending}
          onClick={form.handleSubmit((values) => decision.mutate(values))}
        >
          {verb}
        </Button>
      }
    >
      <form className="flex flex-col gap-4" onSubmit={form.handleSubmit((values) => decision.mutate(values))}>
        <Field
          label="Reason"
          hint={
            isSentToOwner ? 'Sent to the owner and kept in the audit log.' : 'Kept in the audit log only.'
          }
          isRequired
          error={reasonError}
        >
          <TextArea
            rows={3}
            {...form.register('reason', {
              required: 'Say why.',
              ...atMost(NOTE_MAX_LENGTH),
            })}
          />
        </Field>
        {decision.isError && reasonError === undefined && <ErrorState error={decision.error} />}
      </form>
    </Dialog>
  )
}
