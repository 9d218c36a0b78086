import type { OwnAgent } from '@agent-marketplace/contract'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { AgentMark } from '../../components/agents/AgentMark.tsx'
import { Button } from '../../components/buttons/Button.tsx'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { DensitySwitch } from '../../components/lists/DensitySwitch.tsx'
import { ListTools, SearchField, SortField } from '../../components/lists/ListTools.tsx'
import { Money } from '../../components/money/Money.tsx'
import { Section } from '../../components/page/Card.tsx'
import { EmptyState } from '../../components/page/EmptyState.tsx'
import { agentOrders, findAgents, parseAgentOrder } from './find-agents.ts'
import { ListingState } from './ListingState.tsx'
import { usePauseSwitch } from './usePauseSwitch.ts'

const columns: readonly Column<OwnAgent>[] = [
  {
    key: 'name',
    header: 'Agent',
    isTitle: true,
    sorts: [{ value: 'name', direction: 'ascending' }],
    cell: (agent) => <Name agent={agent} />,
  },
  { key: 'listing', header: 'Listing', cell: (agent) => <ListingState agent={agent} /> },
  {
    key: 'rating',
    header: 'Rating',
    align: 'right',
    sorts: [{ value: 'rating', direction: 'descending' }],
    cell: ({ averageRating }) => (averageRating === 0 ? 'No reviews' : averageRating.toFixed(1)),
  },
  {
    key: 'jobs',
    header: 'Jobs done',
    align: 'right',
    sorts: [{ value: 'jobs', direction: 'descending' }],
    cell: ({ totalJobs }) => totalJobs.toLocaleString('en'),
  },
  {
    key: 'price',
    header: 'From, USDC',
    align: 'right',
    sorts: [{ value: 'price', direction: 'descending' }],
    cell: ({ hourlyRateUsdc }) => <Money micro={hourlyRateUsdc} hidesUnit />,
  },
  { key: 'actions', header: 'Manage', align: 'right', cell: (agent) => <Actions agent={agent} /> },
]

/** So few are seen at a glance. */
const FEW = 5

/** Every agent of mine, whether buyers see it, and why not. */
export function AgentTable({ agents }: { agents: readonly OwnAgent[] }) {
  const { q = '', order } = useSearch({ from: '/sell/' })
  const navigate = useNavigate({ from: '/sell/' })
  const change = (next: { q?: string; order?: string }) =>
    navigate({ search: (before) => ({ ...before, ...next }), replace: true, resetScroll: false })
  const sort = parseAgentOrder(order)
  const rows = findAgents(agents, q, sort)
  return (
    <Section title="Agents" actions={agents.length <= FEW && <DensitySwitch />}>
      {agents.length > FEW && (
        <ListTools>
          <SearchField
            label="Search your agents"
            placeholder="Name, type, wallet"
            value={q}
            onChange={(next) => change({ q: next })}
          />
          <SortField words={agentOrders} value={sort} onChange={(next) => change({ order: next })} />
        </ListTools>
      )}
      {rows.length > 0 ? (
        <DataTable
          label="Your agents"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          order={{ value: sort, onChange: (next) => change({ order: next }) }}
        />
      ) : (
        <EmptyState
          title="No agent matches"
          action={<Button onClick={() => change({ q: '' })}>Show all agents</Button>}
        >
          Search looks in names, types and wallets, for every word.
        </EmptyState>
      )}
    </Section>
  )
}

function Name({ agent }: { agent: OwnAgent }) {
  return (
    <span className="flex items-center gap-3">
      <AgentMark address={agent.walletAddress} avatarUrl={agent.avatarUrl} size={36} />
      <span className="flex min-w-0 flex-col">
        <Link
          to="/agents/$wallet"
          params={{ wallet: agent.walletAddress }}
          className="relative underline-offset-4 wrap-anywhere after:absolute after:-inset-y-2 after:inset-x-0 hover:underline"
        >
          {agent.name}
        </Link>
        <span className="text-12 font-normal text-ink-faint first-letter:uppercase">{agent.category}</span>
      </span>
    </span>
  )
}

function Actions({ agent }: { agent: OwnAgent }) {
  const pause = usePauseSwitch()
  const verb = agent.paused ? 'Resume' : 'Pause'
  return (
    <span className="flex justify-end gap-2">
      <Button
        size="small"
        look="quiet"
        aria-label={`${verb} ${agent.name}`}
        isDisabled={pause.isPending}
        onClick={() => pause.mutate(agent)}
      >
        {verb}
      </Button>
      <ButtonLink
        to="/sell/agents/$wallet/edit"
        params={{ wallet: agent.walletAddress }}
        size="small"
        aria-label={`Edit ${agent.name}`}
      >
        Edit
      </ButtonLink>
    </span>
  )
}
