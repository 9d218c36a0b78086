import type { WebhookDelivery } from '@agent-marketplace/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { LoadMore } from '../../components/lists/LoadMore.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { TableSkeleton } from '../../components/page/Skeleton.tsx'
import { Countdown, TimeAgo } from '../../components/text/Time.tsx'
import { deliveriesQuery } from '../../data/account/integrations.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { DeliveryBadge } from './DeliveryBadge.tsx'
import { RedeliverButton } from './RedeliverButton.tsx'

const columns: Column<WebhookDelivery>[] = [
  {
    key: 'event',
    header: 'Event',
    isTitle: true,
    cell: ({ eventType }) => <code className="font-mono">{eventType}</code>,
  },
  {
    key: 'status',
    header: 'State',
    cell: ({ status }) => <DeliveryBadge status={status} />,
  },
  { key: 'response', header: 'Last response', cell: (delivery) => <LastResponse {...delivery} /> },
  { key: 'attempts', header: 'Attempts', align: 'right', cell: ({ attempts }) => attempts },
  { key: 'at', header: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  {
    key: 'again',
    header: 'Send again',
    align: 'right',
    cell: (delivery) => <RedeliverButton delivery={delivery} />,
  },
]

/** What was sent to a webhook, newest first. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const deliveries = useInfiniteQuery(deliveriesQuery(useClient(), webhookId))
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries) ?? []
  if (deliveries.isPending) return <TableSkeleton rows={2} />
  if (deliveries.isLoadingError)
    return <ErrorState error={deliveries.error} onRetry={() => deliveries.refetch()} />
  if (rows.length === 0)
    return <p className="text-14 text-ink-muted">Nothing was sent yet. A test event shows how it looks.</p>
  return (
    <div className="flex flex-col gap-4">
      <DataTable label="Deliveries" columns={columns} rows={rows} rowKey={({ id }) => id} />
      <LoadMore list={deliveries} summary={`${rows.length} shown`} />
    </div>
  )
}

function LastResponse({ responseStatus, error, nextAttemptAt }: WebhookDelivery) {
  const response = responseStatus === null ? (error ?? 'none yet') : `HTTP ${responseStatus}`
  return (
    <span>
      {response}
      {nextAttemptAt && (
        <span className="text-ink-muted">
          {' '}
          · next in <Countdown until={nextAttemptAt} over="a moment" />
        </span>
      )}
    </span>
  )
}
