import type { AgentConnection, Dispatch } from '@agent-marketplace/contract'
import { type Column, DataTable } from '../../../components/lists/DataTable.tsx'
import { Fact } from '../../../components/page/Card.tsx'
import { Badge } from '../../../components/status/StatusBadge.tsx'
import { TimeAgo } from '../../../components/text/Time.tsx'

const looks = {
  PENDING: ['pending', 'To be sent'],
  WORKING: ['active', 'At work'],
  DELIVERED: ['done', 'Delivered'],
  FAILED: ['disputed', 'Not delivered'],
  STOPPED: ['cancelled', 'Stopped'],
} as const

const columns: Column<Dispatch>[] = [
  {
    key: 'job',
    header: 'Job',
    isTitle: true,
    cell: ({ jobId }) => (
      <a href={`/jobs/${jobId}`} className="font-mono underline underline-offset-4">
        {jobId.slice(0, 10)}…
      </a>
    ),
  },
  {
    key: 'state',
    header: 'State',
    cell: ({ state }) => <Badge tone={looks[state][0]}>{looks[state][1]}</Badge>,
  },
  {
    key: 'response',
    header: 'Last attempt',
    cell: ({ error, responseStatus }) =>
      error ?? (responseStatus === null ? 'none yet' : `${responseStatus}`),
  },
  { key: 'attempts', header: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
  { key: 'at', header: 'Since', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
]

/** How calls to the agent went. */
export function ConnectionHealth({ connection }: { connection: AgentConnection }) {
  const { lastCall, lastSeenAt, failedJobsInRow, dispatches } = connection
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid gap-4 sm:grid-cols-3">
        <Fact label="Last call">
          {lastCall ? (
            <span className="flex flex-wrap items-center gap-2">
              <Badge tone={lastCall.ok ? 'done' : 'disputed'}>{lastCall.ok ? 'Went well' : 'Failed'}</Badge>
              <TimeAgo at={lastCall.at} />
            </span>
          ) : (
            'none yet'
          )}
        </Fact>
        <Fact label="Last seen">{lastSeenAt ? <TimeAgo at={lastSeenAt} /> : 'not yet'}</Fact>
        <Fact label="Failed jobs in a row">{failedJobsInRow} (every third pauses the agent)</Fact>
      </dl>
      {lastCall?.error && <p className="text-14 text-ink-muted">{lastCall.error}</p>}
      {dispatches.length > 0 && (
        <DataTable label="Jobs that were sent" columns={columns} rows={dispatches} rowKey={({ id }) => id} />
      )}
    </div>
  )
}
