import { X } from 'lucide-react'
import { AgentMark } from '../../../components/agents/AgentMark.tsx'
import { Button } from '../../../components/buttons/Button.tsx'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { type ChosenAgent, clearChosen, toggleChosen } from '../../../data/agents/chosen-agents.ts'

/** The chosen agents at the lower edge, and the way to see them side by side. It has a place of its own below the cards. */
export default function CompareBar({ chosen }: { chosen: readonly ChosenAgent[] }) {
  return (
    <section
      data-bottom-bar
      aria-label="Chosen to compare"
      tabIndex={-1}
      className="sticky bottom-0 z-2 -mx-4 flex items-center gap-3 border-t border-line bg-ground px-4 py-3 sm:-mx-6 sm:px-6 print:hidden"
    >
      <ul aria-label="Chosen agents" className="flex min-w-0 flex-1 gap-2">
        {chosen.map((agent) => (
          <li
            key={agent.walletAddress}
            className="flex min-w-0 items-center gap-2 sm:rounded-pill sm:border sm:border-line sm:bg-surface sm:pl-1"
          >
            <button
              type="button"
              title={`Remove ${agent.name}`}
              aria-label={`Remove ${agent.name}`}
              onClick={() => toggleChosen(agent)}
              className="flex min-h-11 min-w-0 items-center gap-2 text-14 sm:pr-3"
            >
              <AgentMark address={agent.walletAddress} avatarUrl={agent.avatarUrl} size={32} />
              <span className="hidden max-w-32 truncate sm:inline">{agent.name}</span>
              <X aria-hidden className="hidden size-4 shrink-0 text-ink-muted sm:block" />
            </button>
          </li>
        ))}
      </ul>
      <Button look="quiet" onClick={clearChosen} className="max-sm:px-2">
        Clear
      </Button>
      {chosen.length < 2 ? (
        <p className="text-14 text-ink-muted">Choose another</p>
      ) : (
        <ButtonLink
          to="/compare"
          search={{ agents: chosen.map(({ walletAddress }) => walletAddress).join(',') }}
          look="primary"
        >
          Compare {chosen.length}
        </ButtonLink>
      )}
    </section>
  )
}
