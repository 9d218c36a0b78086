import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { Button } from '../../components/buttons/Button.tsx'
import { toastError } from '../../components/popups/toast.ts'
import { markAllRead } from '../../data/account/notifications.ts'
import { useClient } from '../../session/SessionProvider.tsx'

export function MarkAllRead({ unread }: { unread: number }) {
  const client = useClient()
  const queries = useQueryClient()
  const mark = useMutation({ mutationFn: () => markAllRead(client, queries), onError: toastError })
  return (
    <Button isDisabled={unread === 0} isBusy={mark.isPending} onClick={() => mark.mutate()}>
      <CheckCheck aria-hidden className="size-4" /> Mark all read
    </Button>
  )
}
