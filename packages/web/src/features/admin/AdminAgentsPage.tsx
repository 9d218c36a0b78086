import type { AgentDetail } from '@agent-marketplace/contract'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { AgentMark } from '../../components/agents/AgentMark.tsx'
import { Button } from '../../components/buttons/Button.tsx'
import type { Column } from '../../components/lists/DataTable.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { DecisionDialog } from '../../components/popups/DecisionDialog.tsx'
import { toastDone, toastError } from '../../components/popups/toast.ts'
import { StatusBadge } from '../../components/status/StatusBadge.tsx'
import { TimeAgo } from '../../components/text/Time.tsx'
import { adminAgentsQuery } from '../../data/admin.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { PagedTable } from './PagedTable.tsx'
import { oneOf, StatusFilter } from './StatusFilter.tsx'

const statuses = { PENDING: 'Awaiting approval', APPROVED: 'Approved', REJECTED: 'Rejected' }

const columns: Column<AgentDetail>[] = [
  {
    key: 'name',
    header: 'Agent',
    isTitle: true,
    cell: ({ name, walletAddress, avatarUrl }) => (
      <Link
        to="/agents/$wallet"
        params={{ wallet: walletAddress }}
        className="inline-flex min-h-11 items-center gap-3 font-medium hover:underline sm:min-h-10"
      >
        <AgentMark address={walletAddress} avatarUrl={avatarUrl} size={28} />
        <span title={name} className="sm:max-w-80 sm:truncate">
          {name}
        </span>
      </Link>
    ),
  },
  {
    key: 'type',
    header: 'Type',
    cell: ({ type }) => (
      <span title={type} className="inline-block align-middle first-letter:uppercase sm:max-w-40 sm:truncate">
        {type}
      </span>
    ),
  },
  {
    key: 'status',
    header: 'State',
    cell: ({ approvalStatus }) => <StatusBadge kind="approval" status={approvalStatus} />,
  },
  { key: 'created', header: 'Created', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  { key: 'decide', header: 'Decide', align: 'right', cell: (agent) => <Decisions agent={agent} /> },
]

/** Agents that wait for a decision, the oldest first. */
export function AdminAgentsPage() {
  const { status } = useSearch({ from: '/admin/agents' })
  const navigate = useNavigate({ from: '/admin/agents' })
  const approvalStatus = oneOf(statuses, status)
  const query = useInfiniteQuery(adminAgentsQuery(useClient(), approvalStatus ? { approvalStatus } : {}))
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title="Agents" hint="Oldest first." />
      <StatusFilter
        label="State"
        value={approvalStatus}
        choices={statuses}
        everything="All agents"
        onChange={(next) => navigate({ search: next ? { status: next } : {} })}
      />
      <PagedTable
        label="Agents"
        query={query}
        columns={columns}
        rowKey={({ id }) => id}
        empty={{
          title: 'Nothing here',
          text: 'Agents in this state appear here as soon as there are any.',
          action: approvalStatus && <Button onClick={() => navigate({ search: {} })}>Show all agents</Button>,
        }}
      />
    </div>
  )
}

function Decisions({ agent: { id, name, approvalStatus } }: { agent: AgentDetail }) {
  const client = useClient()
  const queries = useQueryClient()
  const approval = useMutation({
    mutationFn: () => client.call('approveAgent', { params: { id } }),
    onSuccess: async () => {
      toastDone(`${name} is listed.`)
      await queries.invalidateQueries({ queryKey: ['admin'] })
    },
    onError: toastError,
  })
  return (
    <span className="flex flex-wrap justify-end gap-2">
      {approvalStatus !== 'APPROVED' && (
        <Button
          size="small"
          aria-label={`Approve ${name}`}
          isBusy={approval.isPending}
          onClick={() => approval.mutate()}
        >
          Approve
        </Button>
      )}
      {approvalStatus !== 'REJECTED' && (
        <DecisionDialog
          verb="Reject"
          subject={name}
          description="It can no longer be listed or hired. Running jobs continue."
          done={`${name} is rejected.`}
          isDanger
          decide={(reason) => client.call('rejectAgent', { params: { id }, body: { reason } })}
        />
      )}
    </span>
  )
}
