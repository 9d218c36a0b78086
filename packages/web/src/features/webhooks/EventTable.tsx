import type { AccountEvent } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { CopyButton } from '../../components/buttons/CopyButton.tsx'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { DeliveryBadge } from './DeliveryBadge.tsx'
import { RedeliverButton } from './RedeliverButton.tsx'

const columns: Column<AccountEvent>[] = [
  {
    key: 'event',
    header: 'Event',
    isTitle: true,
    cell: ({ type, id }) => (
      <span className="flex flex-col font-mono font-normal">
        <code className="sm:whitespace-nowrap">{type}</code>
        <span className="inline-flex items-center gap-1 text-12 text-ink-muted">
          <code className="sm:whitespace-nowrap">{id}</code>
          <CopyButton text={id} label={`Copy ${id}`} />
        </span>
      </span>
    ),
  },
  { key: 'about', header: 'About', cell: ({ data }) => <About {...data} /> },
  { key: 'at', header: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { key: 'deliveries', header: 'Sent', cell: (event) => <Sent {...event} /> },
]

export function EventTable({ rows }: { rows: readonly AccountEvent[] }) {
  return <DataTable label="Events" columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function About({ title, message, link }: AccountEvent['data']) {
  return (
    <span className="flex max-w-md min-w-0 flex-col max-sm:items-end max-sm:text-right">
      {link ? (
        <Link to={link} className="underline underline-offset-4">
          {title}
        </Link>
      ) : (
        <span>{title}</span>
      )}
      <span className="text-ink-muted">{message}</span>
    </span>
  )
}

/** The newest delivery, which leads to its webhook, and how many there were before it. */
function Sent({ deliveries }: AccountEvent) {
  const [newest, ...earlier] = deliveries
  if (!newest) return <span className="text-ink-muted">Not sent</span>
  return (
    <span className="flex flex-wrap items-center gap-x-2 max-sm:justify-end lg:flex-nowrap">
      <Link
        to="/developers/webhooks"
        search={{ webhook: newest.webhookId }}
        className="inline-flex min-h-11 items-center gap-2 whitespace-nowrap underline underline-offset-4"
      >
        <DeliveryBadge status={newest.status} />
        {earlier.length > 0 && `and ${earlier.length} before`}
      </Link>
      <RedeliverButton delivery={newest} />
    </span>
  )
}
