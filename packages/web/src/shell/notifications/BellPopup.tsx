import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Button } from '../../components/buttons/Button.tsx'
import { NotificationLine } from '../../components/lists/NotificationLine.tsx'
import { TextSkeleton } from '../../components/page/Skeleton.tsx'
import { Popover } from '../../components/popups/Popover.tsx'
import { toastError } from '../../components/popups/toast.ts'
import { Badge } from '../../components/status/StatusBadge.tsx'
import type { Tone } from '../../components/status/status-words.ts'
import { bellQuery, markAllRead, markRead } from '../../data/account/notifications.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import type { Transaction, TxState } from '../../transactions/story.ts'
import { useTransactions } from '../../transactions/TransactionProvider.tsx'

const txWords: Record<TxState, [Tone, string]> = {
  signed: ['pending', 'Signed'],
  sent: ['active', 'Sent'],
  confirmed: ['active', 'Confirmed'],
  final: ['done', 'Final'],
  failed: ['disputed', 'Failed'],
}

/** The newest news and the transactions under way. */
export default function BellPopup({ trigger }: { trigger: ReactElement }) {
  const client = useClient()
  const queries = useQueryClient()
  const { data } = useQuery(bellQuery(client))
  const transactions = useTransactions().slice(0, 3)
  return (
    <Popover
      trigger={trigger}
      title="Notifications"
      hidesTitle
      align="end"
      padding="none"
      className="w-96"
      defaultOpen
    >
      {transactions.length > 0 && (
        <ul aria-label="Transactions" className="border-b border-line py-2">
          {transactions.map((transaction) => (
            <TransactionLine key={transaction.id} transaction={transaction} />
          ))}
        </ul>
      )}
      <div className="flex items-center justify-between border-b border-line px-4 py-1">
        <p className="font-semibold">Notifications</p>
        <Button
          look="quiet"
          size="small"
          isDisabled={(data?.unreadCount ?? 0) === 0}
          onClick={() => markAllRead(client, queries).catch(toastError)}
        >
          Mark all read
        </Button>
      </div>
      {data === undefined && (
        <div className="p-4">
          <TextSkeleton />
        </div>
      )}
      {data?.notifications.length === 0 && (
        <p className="px-4 py-8 text-center text-ink-muted">
          News about your jobs and money will appear here.
        </p>
      )}
      <ul aria-label="Newest notifications" className="max-h-80 overflow-y-auto">
        {data?.notifications.map((notification) => (
          <NotificationLine
            key={notification.id}
            notification={notification}
            onOpen={() => notification.read || markRead(client, queries, notification.id).catch(toastError)}
          />
        ))}
      </ul>
      <Link
        to="/notifications"
        className="flex min-h-11 items-center justify-center border-t border-line font-medium hover:bg-sunken"
      >
        See all
      </Link>
    </Popover>
  )
}

function TransactionLine({ transaction: { label, state, jobId, txHash } }: { transaction: Transaction }) {
  const [tone, word] = txWords[state]
  const line = 'flex items-center justify-between gap-3 px-4 py-2 -outline-offset-2 hover:bg-sunken'
  const content = (
    <>
      <span className="truncate">{label}</span>
      <Badge tone={tone}>{word}</Badge>
    </>
  )
  if (jobId) {
    return (
      <li>
        <Link to="/jobs/$jobId" params={{ jobId }} className={line}>
          {content}
        </Link>
      </li>
    )
  }
  if (!txHash) return <li className={line}>{content}</li>
  return (
    <li>
      <Link to="/tx/$hash" params={{ hash: txHash }} className={line}>
        {content}
      </Link>
    </li>
  )
}
