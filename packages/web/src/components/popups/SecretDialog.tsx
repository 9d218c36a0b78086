import { type ReactElement, type ReactNode, useState } from 'react'
import { Button } from '../buttons/Button.tsx'
import { SecretOnce } from '../text/SecretOnce.tsx'
import { Dialog } from './Dialog.tsx'

interface SecretDialogProps {
  title: string
  description?: string | undefined
  trigger: ReactElement
  /** Starts over whenever it is opened. */
  onOpen: () => void
  /** Makes the secret. */
  action: ReactElement
  /** What takes the place of the question once the secret is made. */
  made?: { title: string; description?: string; secret: string; label: string } | undefined
  /** What is asked first. */
  children?: ReactNode
}

/** Asks what a secret is for, and then shows it once. */
export function SecretDialog({
  title,
  description,
  trigger,
  onOpen,
  action,
  made,
  children,
}: SecretDialogProps) {
  const [isOpen, setIsOpen] = useState(false)
  const changeOpen = (open: boolean) => {
    setIsOpen(open)
    if (open) onOpen()
  }
  const close = (
    <Button look="primary" onClick={() => setIsOpen(false)}>
      I have copied it
    </Button>
  )
  return (
    <Dialog
      title={made ? made.title : title}
      description={made ? made.description : description}
      trigger={trigger}
      isOpen={isOpen}
      onOpenChange={changeOpen}
      actions={made ? close : action}
    >
      {made ? <SecretOnce secret={made.secret} label={made.label} /> : children}
    </Dialog>
  )
}
