import type { FormEvent, ReactNode } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import type { ButtonLook } from '../../../components/buttons/button-look.ts'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { Dialog } from '../../../components/popups/Dialog.tsx'
import { fieldErrors } from '../../../data/connection/field-errors.ts'
import { isRejectedByUser } from '../../../session/wallet-error.ts'

export interface MoveDialogProps {
  title: string
  description?: ReactNode
  onClose: () => void
  onSubmit: (event: FormEvent) => void
  /** The button's verb. */
  submit: string
  look?: ButtonLook
  /** How the call goes. */
  move: { isPending: boolean; error: unknown }
  isDisabled?: boolean
  children?: ReactNode
}

/** A move of a job, asked for once more: what it does, what it needs, and what went wrong. */
export function MoveDialog({
  title,
  description,
  onClose,
  onSubmit,
  submit,
  look = 'primary',
  move: { isPending: isBusy, error },
  isDisabled = false,
  children,
}: MoveDialogProps) {
  const belongsToField = Object.keys(fieldErrors(error)).length > 0
  return (
    <Dialog
      title={title}
      description={description}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen && !isBusy) onClose()
      }}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit(event)
        }}
        className="flex flex-col gap-4"
      >
        {children}
        {isRejectedByUser(error) && (
          <p role="status" className="rounded-box bg-sunken p-4 text-14">
            You did not sign. Nothing happened.
          </p>
        )}
        {error && !isRejectedByUser(error) && !belongsToField ? <ErrorState error={error} /> : null}
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <Button look="quiet" onClick={onClose} isDisabled={isBusy}>
            Not now
          </Button>
          <Button type="submit" look={look} isBusy={isBusy} isDisabled={isDisabled}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
