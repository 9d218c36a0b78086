import type { ApiRequest } from '@agent-marketplace/contract'
import { CopyButton } from '../../components/buttons/CopyButton.tsx'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { Badge } from '../../components/status/StatusBadge.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { durationText, toneOfStatus } from './request-words.ts'

const columns: Column<ApiRequest>[] = [
  {
    key: 'call',
    header: 'Request',
    isTitle: true,
    cell: ({ method, path }) => (
      <code className="font-mono font-normal">
        <span className="font-medium">{method}</span> {path}
      </code>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    cell: ({ status, errorCode }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 max-sm:justify-end">
        <Badge tone={toneOfStatus(status)}>{status}</Badge>
        {errorCode && <code className="font-mono text-12 text-ink-muted">{errorCode}</code>}
      </span>
    ),
  },
  {
    key: 'duration',
    header: 'Took',
    align: 'right',
    cell: ({ durationMs }) => (
      <span className="font-mono whitespace-nowrap tabular-nums">{durationText(durationMs)}</span>
    ),
  },
  {
    key: 'caller',
    header: 'By',
    cell: ({ caller: { kind, name } }) => (
      <span>
        {name ?? 'Removed'}
        <span className="text-ink-muted">{kind === 'APP' ? ' · app' : ' · key'}</span>
      </span>
    ),
  },
  { key: 'at', header: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  {
    key: 'id',
    header: 'Request id',
    cell: ({ requestId }) => (
      <span className="inline-flex items-center gap-1">
        <code className="font-mono text-12 wrap-anywhere">{requestId}</code>
        <CopyButton text={requestId} label={`Copy ${requestId}`} />
      </span>
    ),
  },
]

export function RequestTable({ rows }: { rows: readonly ApiRequest[] }) {
  return <DataTable label="Requests" columns={columns} rows={rows} rowKey={({ id }) => id} isCompact />
}
