import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { toastError } from '../popups/toast.ts'
import { Button } from './Button.tsx'

interface SaveButtonProps {
  /** Reads what is saved. */
  read: () => Promise<BlobPart>
  type: string
  /** The name of the file. */
  name: string
  className?: string
  children: ReactNode
}

/** Reads a file and hands it to the browser to be saved. */
export function SaveButton({ read, type, name, className, children }: SaveButtonProps) {
  const saving = useMutation({
    mutationFn: read,
    onSuccess: (part) => save(new Blob([part], { type }), name),
    onError: toastError,
  })
  return (
    <Button {...(className && { className })} isBusy={saving.isPending} onClick={() => saving.mutate()}>
      <Download aria-hidden className="size-4" />
      {children}
    </Button>
  )
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
