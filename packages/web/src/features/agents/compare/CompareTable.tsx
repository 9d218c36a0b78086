import type { AgentDetail } from '@agent-marketplace/contract'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { AgentMark } from '../../../components/agents/AgentMark.tsx'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { whyNotHireable } from '../../../data/agents/hireable.ts'
import { cx } from '../../../design/cx.ts'
import { type Criterion, isDifferent } from './comparison.tsx'

interface CompareTableProps {
  agents: readonly AgentDetail[]
  criteria: readonly Criterion[]
  onRemove: (wallet: string) => void
}

/** On a phone it scrolls sideways within itself, and its first column stays. */
export function CompareTable({ agents, criteria, onRemove }: CompareTableProps) {
  return (
    <section
      aria-label="Comparison"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      className="relative overflow-x-auto rounded-box border border-line bg-surface"
    >
      <table
        style={{ minWidth: `${7 + 11 * agents.length}rem` }}
        className="w-full table-fixed border-separate border-spacing-0 text-14"
      >
        <thead>
          <tr>
            <th scope="col" className={cx(cell, first, 'align-bottom font-normal text-ink-muted')}>
              {agents.length} agents
            </th>
            {agents.map((agent) => (
              <th key={agent.id} scope="col" className={cx(cell, 'font-normal')}>
                <Head agent={agent} onRemove={onRemove} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {criteria.map((criterion) => (
            <Row key={criterion.key} criterion={criterion} agents={agents} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

const cell = 'border-b border-line p-3 text-left align-top sm:p-4 [tbody>tr:last-child>&]:border-b-0'
const first = 'sticky left-0 z-2 w-28 border-r bg-surface sm:w-40'

function Row({ criterion, agents }: { criterion: Criterion; agents: readonly AgentDetail[] }) {
  const differs = isDifferent(criterion, agents)
  return (
    <tr data-differs={differs}>
      <th scope="row" className={cx(cell, first, differs ? 'font-medium' : 'font-normal text-ink-muted')}>
        {criterion.label}
        {!differs && <span className="block text-12">the same</span>}
      </th>
      {agents.map((agent) => (
        <td key={agent.id} className={cx(cell, differs ? 'font-medium' : 'text-ink-muted')}>
          {criterion.cell?.(agent) ?? criterion.value(agent)}
        </td>
      ))}
    </tr>
  )
}

function Head({ agent, onRemove }: { agent: AgentDetail; onRemove: (wallet: string) => void }) {
  const { walletAddress, name } = agent
  return (
    <div className="flex h-full flex-col gap-3">
      <div className="flex items-start justify-between gap-2">
        <AgentMark address={walletAddress} avatarUrl={agent.avatarUrl} size={44} />
        <button
          type="button"
          aria-label={`Remove ${name}`}
          title="Remove"
          onClick={() => onRemove(walletAddress)}
          className="relative grid size-8 place-items-center rounded-box text-ink-muted after:absolute after:-inset-1.5 hover:bg-sunken hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      </div>
      <div className="min-w-0">
        <Link
          to="/agents/$wallet"
          params={{ wallet: walletAddress }}
          className="line-clamp-2 text-16 font-semibold underline decoration-edge underline-offset-4 hover:decoration-ink"
        >
          {name}
        </Link>
        <p className="truncate text-ink-muted first-letter:uppercase">{agent.type}</p>
      </div>
      {whyNotHireable(agent) === undefined && (
        <ButtonLink
          to="/agents/$wallet/hire"
          params={{ wallet: walletAddress }}
          size="small"
          className="self-start"
        >
          Hire<span className="sr-only"> {name}</span>
        </ButtonLink>
      )}
    </div>
  )
}
