import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/buttons/Button.tsx'
import { Dialog } from '../../components/popups/Dialog.tsx'
import { toastDone, toastError } from '../../components/popups/toast.ts'

interface Props {
  /** What the button says, before the name of the credential. */
  verb: string
  name: string
  description: string
  /** What the button inside the dialog says. */
  confirm: string
  revoke: () => Promise<unknown>
  /** What is said once it is revoked. */
  done: string
  /** The list in which it no longer appears. */
  list: 'api-keys' | 'grants'
}

/** Revokes an API key or a connected app, after a second click. */
export function RevokeButton({ verb, name, description, confirm, revoke, done, list }: Props) {
  const queries = useQueryClient()
  const revocation = useMutation({
    mutationFn: revoke,
    onSuccess: async () => {
      toastDone(done)
      await queries.invalidateQueries({ queryKey: ['owner', list] })
    },
    onError: toastError,
  })
  return (
    <Dialog
      title={`${verb} “${name}”?`}
      description={description}
      trigger={
        <Button look="quiet" size="small" aria-label={`${verb} ${name}`}>
          {verb}
        </Button>
      }
      actions={
        <Button look="danger" isBusy={revocation.isPending} onClick={() => revocation.mutate()}>
          {confirm}
        </Button>
      }
    />
  )
}
