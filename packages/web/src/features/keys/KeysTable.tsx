import type { ApiKey } from '@agent-marketplace/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button } from '../../components/Button.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { TimeAgo } from '../../components/Time.tsx'
import { toastDone, toastError } from '../../components/toast.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { KeyBudget } from './KeyBudget.tsx'
import { mayWords } from './key-scopes.ts'

const columns: Column<ApiKey>[] = [
  { key: 'name', header: 'Name', isTitle: true, cell: ({ name }) => name },
  { key: 'prefix', header: 'Key', cell: ({ prefix }) => <code className="font-mono">{prefix}…</code> },
  { key: 'scopes', header: 'May', cell: ({ scopes }) => mayWords(scopes) },
  { key: 'budget', header: 'Budget', cell: ({ budget }) => <KeyBudget budget={budget} /> },
  {
    key: 'used',
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'never'),
  },
  {
    key: 'expires',
    header: 'Ends',
    cell: ({ expiresAt }) => (expiresAt ? <TimeAgo at={expiresAt} /> : 'never'),
  },
  { key: 'revoke', header: 'Revoke', align: 'right', cell: (apiKey) => <RevokeButton apiKey={apiKey} /> },
]

export function KeysTable({ keys }: { keys: readonly ApiKey[] }) {
  return <DataTable label="API keys" columns={columns} rows={keys} rowKey={({ id }) => id} />
}

function RevokeButton({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const client = useClient()
  const queries = useQueryClient()
  const revocation = useMutation({
    mutationFn: () => client.call('revokeApiKey', { params: { id } }),
    onSuccess: async () => {
      toastDone(`“${name}” no longer works.`)
      await queries.invalidateQueries({ queryKey: ['owner', 'api-keys'] })
    },
    onError: toastError,
  })
  return (
    <Dialog
      title={`Revoke “${name}”?`}
      description="Programs that hold it are refused from now on. This cannot be undone; you can make another key."
      trigger={
        <Button look="quiet" size="small" aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      }
      actions={
        <Button look="danger" isBusy={revocation.isPending} onClick={() => revocation.mutate()}>
          Revoke the key
        </Button>
      }
    />
  )
}
