import type { ApiKey } from '@agent-marketplace/contract'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { useClient } from '../../session/SessionProvider.tsx'
import { credentialColumns } from './credential-columns.tsx'
import { RevokeButton } from './RevokeButton.tsx'

const columns: Column<ApiKey>[] = [
  { key: 'name', header: 'Name', isTitle: true, cell: ({ name }) => name },
  { key: 'prefix', header: 'Key', cell: ({ prefix }) => <code className="font-mono">{prefix}…</code> },
  ...credentialColumns,
  { key: 'revoke', header: 'Revoke', align: 'right', cell: (apiKey) => <RevokeKey apiKey={apiKey} /> },
]

export function KeysTable({ keys }: { keys: readonly ApiKey[] }) {
  return <DataTable label="API keys" columns={columns} rows={keys} rowKey={({ id }) => id} />
}

function RevokeKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const client = useClient()
  return (
    <RevokeButton
      verb="Revoke"
      name={name}
      description="Programs that use it lose access immediately. This cannot be undone, but you can create another key."
      confirm="Revoke the key"
      revoke={() => client.call('revokeApiKey', { params: { id } })}
      done={`“${name}” no longer works.`}
      list="api-keys"
    />
  )
}
