import type { OAuthGrant } from '@agent-marketplace/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { Button } from '../../components/Button.tsx'
import { Section } from '../../components/Card.tsx'
import { type Column, DataTable } from '../../components/DataTable.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { EmptyState } from '../../components/EmptyState.tsx'
import { ErrorState } from '../../components/ErrorState.tsx'
import { TableSkeleton } from '../../components/Skeleton.tsx'
import { TimeAgo } from '../../components/Time.tsx'
import { toastDone, toastError } from '../../components/toast.ts'
import { grantsQuery } from '../../data/account/integrations.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { KeyBudget } from './KeyBudget.tsx'
import { mayWords } from './key-scopes.ts'

const columns: Column<OAuthGrant>[] = [
  { key: 'name', header: 'Name', isTitle: true, cell: ({ clientName }) => clientName },
  { key: 'host', header: 'Host', cell: ({ clientHost }) => <code className="font-mono">{clientHost}</code> },
  { key: 'scopes', header: 'May', cell: ({ scopes }) => mayWords(scopes) },
  { key: 'budget', header: 'Budget', cell: ({ budget }) => <KeyBudget budget={budget} /> },
  {
    key: 'used',
    header: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt ? <TimeAgo at={lastUsedAt} /> : 'never'),
  },
  { key: 'expires', header: 'Ends', cell: ({ expiresAt }) => <TimeAgo at={expiresAt} /> },
  { key: 'revoke', header: 'Revoke', align: 'right', cell: (grant) => <RevokeButton grant={grant} /> },
]

/** Clients that connected by OAuth, with what they may do. */
export function Grants() {
  const grants = useQuery(grantsQuery(useClient()))
  return (
    <Section
      title="Connected apps"
      hint="Assistants and other apps that you allowed to act for you, each within its own budget."
    >
      {grants.isPending && <TableSkeleton rows={3} />}
      {grants.isLoadingError && <ErrorState error={grants.error} onRetry={() => grants.refetch()} />}
      {grants.data?.length === 0 && (
        <EmptyState title="No apps yet" icon={<Plug aria-hidden />}>
          An app that you connect asks you first, and appears here.
        </EmptyState>
      )}
      {grants.data && grants.data.length > 0 && (
        <DataTable label="Connected apps" columns={columns} rows={grants.data} rowKey={({ id }) => id} />
      )}
    </Section>
  )
}

function RevokeButton({ grant: { id, clientName } }: { grant: OAuthGrant }) {
  const client = useClient()
  const queries = useQueryClient()
  const revocation = useMutation({
    mutationFn: () => client.call('revokeGrant', { params: { id } }),
    onSuccess: async () => {
      toastDone(`“${clientName}” can no longer act for you.`)
      await queries.invalidateQueries({ queryKey: ['owner', 'grants'] })
    },
    onError: toastError,
  })
  return (
    <Dialog
      title={`Disconnect “${clientName}”?`}
      description="It is refused from now on. Jobs that it hired go on. You can connect it again."
      trigger={
        <Button look="quiet" size="small" aria-label={`Disconnect ${clientName}`}>
          Disconnect
        </Button>
      }
      actions={
        <Button look="danger" isBusy={revocation.isPending} onClick={() => revocation.mutate()}>
          Disconnect the app
        </Button>
      }
    />
  )
}
