import type { EngineStatus } from '@agent-marketplace/contract'
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { Badge } from '../../components/status/StatusBadge.tsx'
import {
  adminAgentsQuery,
  adminWithdrawalsQuery,
  amlFlagsQuery,
  disputesQuery,
  engineQuery,
} from '../../data/admin.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { Activity } from './Activity.tsx'

/** What waits for somebody, each with its way there. */
export function AdminHomePage() {
  const client = useClient()
  const agents = useInfiniteQuery(adminAgentsQuery(client, { approvalStatus: 'PENDING' }))
  const disputes = useInfiniteQuery(disputesQuery(client, { status: 'OPEN' }))
  const flags = useInfiniteQuery(amlFlagsQuery(client, { status: 'OPEN' }))
  const failed = useInfiniteQuery(adminWithdrawalsQuery(client, { status: 'FAILED' }))
  const engine = useQuery(engineQuery(client))
  const unread = [agents, disputes, flags, failed, engine].filter(({ isLoadingError }) => isLoadingError)
  return (
    <div className="flex flex-col gap-8">
      <PageHeader title="Admin" hint="What needs an administrator." />
      {unread[0] && (
        <ErrorState
          error={unread[0].error}
          onRetry={() => Promise.all(unread.map((query) => query.refetch()))}
        />
      )}
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4 lg:grid-cols-5">
        <Waiting
          label="Agents to approve"
          query={agents}
          link={{ to: '/admin/agents', search: { status: 'PENDING' } }}
        />
        <Waiting
          label="Open disputes"
          query={disputes}
          link={{ to: '/admin/disputes', search: { status: 'OPEN' } }}
        />
        <Waiting
          label="AML flags to review"
          query={flags}
          link={{ to: '/admin/aml', search: { status: 'OPEN' } }}
        />
        <Waiting
          label="Withdrawals that failed"
          query={failed}
          link={{ to: '/admin/withdrawals', search: { status: 'FAILED' } }}
        />
        <Tile link={{ to: '/admin/health' }} label="Money engine">
          {engine.isLoadingError && <Unread />}
          {engine.isPending && <Skeleton className="h-10 w-24" />}
          {engine.data && (
            <Badge tone={engine.data.halted ? 'disputed' : 'done'}>{engineWords(engine.data)}</Badge>
          )}
        </Tile>
      </ul>
      <Activity />
    </div>
  )
}

function engineWords({ halted, lagBlocks }: Pick<EngineStatus, 'halted' | 'lagBlocks'>): string {
  if (halted) return 'Halted'
  if (!lagBlocks) return 'Running'
  return `Running, ${lagBlocks} ${lagBlocks === 1 ? 'block' : 'blocks'} behind`
}

interface TileProps {
  label: string
  link: Pick<LinkProps, 'to' | 'search'>
  children: ReactNode
}

function Tile({ label, link, children }: TileProps) {
  return (
    <li>
      <Link
        {...link}
        className="flex h-full min-h-24 flex-col justify-between gap-2 rounded-box border border-line bg-surface p-4 transition-colors hover:border-edge"
      >
        <span className="flex items-start justify-between gap-2 text-14 text-ink-muted">
          {label}
          <ArrowRight aria-hidden className="mt-0.5 size-4 shrink-0" />
        </span>
        <span className="flex h-10 items-center">{children}</span>
      </Link>
    </li>
  )
}

interface WaitingProps extends Omit<TileProps, 'children'> {
  query: UseInfiniteQueryResult<InfiniteData<{ total: number }>>
}

function Waiting({ query, ...tile }: WaitingProps) {
  const count = query.data?.pages[0]?.total
  return (
    <Tile {...tile}>
      {query.isLoadingError && <Unread />}
      {query.isPending && <Skeleton className="h-10 w-12" />}
      {count !== undefined && <span className="text-28 font-semibold tabular-nums">{count}</span>}
    </Tile>
  )
}

function Unread() {
  return <span className="text-14 text-ink-muted">Could not be read</span>
}
