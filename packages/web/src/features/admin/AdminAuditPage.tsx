import type { AuditEntry } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Button } from '../../components/buttons/Button.tsx'
import type { Column } from '../../components/lists/DataTable.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { auditQuery } from '../../data/admin.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { actionWords, rulingWords, subjectWords } from './audit-words.ts'
import { PagedTable } from './PagedTable.tsx'

const columns: Column<AuditEntry>[] = [
  { key: 'at', header: 'When', isTitle: true, cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { key: 'action', header: 'What', cell: (entry) => <span title={entry.action}>{actionWords(entry)}</span> },
  { key: 'subject', header: 'About', cell: (entry) => <Subject {...entry} /> },
  {
    key: 'details',
    header: 'Details',
    cell: (entry) => <Details entry={entry} />,
  },
  {
    key: 'actor',
    header: 'By',
    cell: ({ actorId }) => (actorId ? <Actor actorId={actorId} /> : 'the service'),
  },
]

/** Every decision that was made in the console. Nothing in it is ever changed or removed. */
export function AdminAuditPage() {
  const { actorId, subjectId } = useSearch({ from: '/admin/audit' })
  const navigate = useNavigate({ from: '/admin/audit' })
  const query = useInfiniteQuery(
    auditQuery(useClient(), { ...(actorId && { actorId }), ...(subjectId && { subjectId }) }),
  )
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        title="Audit log"
        hint="Every decision, newest first. Entries are never changed or removed."
        actions={
          (actorId || subjectId) && <Button onClick={() => navigate({ search: {} })}>Show everything</Button>
        }
      />
      <PagedTable
        label="Audit log"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{ title: 'No entries', text: 'Every decision of an administrator appears here.' }}
      />
    </div>
  )
}

function Subject(entry: AuditEntry) {
  const { subjectId } = entry
  const navigate = useNavigate({ from: '/admin/audit' })
  return (
    <Button look="quiet" size="small" onClick={() => navigate({ search: { subjectId } })}>
      <span className="sr-only">Only entries about </span>
      {subjectWords(entry)} <span className="font-mono text-12 text-ink-muted">…{subjectId.slice(-6)}</span>
    </Button>
  )
}

function Actor({ actorId }: { actorId: string }) {
  const navigate = useNavigate({ from: '/admin/audit' })
  return (
    <Button look="quiet" size="small" onClick={() => navigate({ search: { actorId } })}>
      <span className="sr-only">Only entries by </span>
      <span className="font-mono text-12 text-ink-muted">…{actorId.slice(-6)}</span>
    </Button>
  )
}

/** The reason or the ruling in a line; on hover what was changed, as the service wrote it down. */
function Details({ entry }: { entry: AuditEntry }) {
  const { reason, before, after } = entry.details
  const changes = [before, after].filter((state) => state !== undefined && state !== null)
  const change = changes.map((state) => JSON.stringify(state)).join(' → ')
  const words = [rulingWords(entry), typeof reason === 'string' && reason].filter(Boolean).join('. ')
  return (
    <span title={change} className="block max-w-sm min-w-0 truncate">
      {words || <code className="font-mono text-12 text-ink-muted">{change}</code>}
    </span>
  )
}
