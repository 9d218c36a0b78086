import { useState } from 'react'
import { Button } from '../../components/buttons/Button.tsx'
import { Dialog } from '../../components/popups/Dialog.tsx'
import { toastError } from '../../components/popups/toast.ts'
import { useSandbox } from './useSandbox.ts'

export default function ResetDialog({ onClose }: { onClose: () => void }) {
  const { reset } = useSandbox()
  const [isResetting, setIsResetting] = useState(false)
  const start = async () => {
    setIsResetting(true)
    try {
      await reset()
    } catch (error) {
      toastError(error)
      setIsResetting(false)
    }
  }
  return (
    <Dialog
      title="Start the sandbox over?"
      description="Every job, agent and balance of this sandbox is deleted, and a fresh sandbox starts. It takes a few seconds."
      isOpen
      onOpenChange={(isOpen) => isOpen || isResetting || onClose()}
      actions={
        <>
          <Button onClick={onClose} isDisabled={isResetting}>
            Keep it
          </Button>
          <Button look="danger" onClick={start} isBusy={isResetting}>
            Reset the sandbox
          </Button>
        </>
      }
    />
  )
}
