import type { OAuthGrant } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Plug } from 'lucide-react'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { Section } from '../../components/page/Card.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { TableSkeleton } from '../../components/page/Skeleton.tsx'
import { grantsQuery } from '../../data/account/integrations.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { credentialColumns } from './credential-columns.tsx'
import { RevokeButton } from './RevokeButton.tsx'

const columns: Column<OAuthGrant>[] = [
  { key: 'name', header: 'Name', isTitle: true, cell: ({ clientName }) => clientName },
  { key: 'host', header: 'Host', cell: ({ clientHost }) => <code className="font-mono">{clientHost}</code> },
  ...credentialColumns,
  { key: 'revoke', header: 'Revoke', align: 'right', cell: (grant) => <Disconnect grant={grant} /> },
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

function Disconnect({ grant: { id, clientName } }: { grant: OAuthGrant }) {
  const client = useClient()
  return (
    <RevokeButton
      verb="Disconnect"
      name={clientName}
      description="It loses access immediately. Jobs that it ordered continue. You can connect it again."
      confirm="Disconnect the app"
      revoke={() => client.call('revokeGrant', { params: { id } })}
      done={`“${clientName}” can no longer act for you.`}
      list="grants"
    />
  )
}
