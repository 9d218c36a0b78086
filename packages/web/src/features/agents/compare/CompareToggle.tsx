import {
  type ChosenAgent,
  MOST_CHOSEN,
  toggleChosen,
  useChosenAgents,
} from '../../../data/agents/chosen-agents.ts'

/** Chooses an agent to stand beside others. */
export function CompareToggle({ agent }: { agent: ChosenAgent }) {
  const chosen = useChosenAgents()
  const isChosen = chosen.some(({ walletAddress }) => walletAddress === agent.walletAddress)
  const isFull = !isChosen && chosen.length === MOST_CHOSEN
  return (
    <label
      title={isFull ? `At most ${MOST_CHOSEN} agents can be compared` : undefined}
      className="relative z-1 flex h-9 cursor-pointer items-center gap-1.5 text-12 text-ink-muted after:absolute after:-inset-1 hover:text-ink has-disabled:cursor-default has-disabled:opacity-50"
    >
      <input
        type="checkbox"
        checked={isChosen}
        disabled={isFull}
        onChange={() => toggleChosen(agent)}
        aria-label={`Compare ${agent.name}`}
        className="relative z-1 size-4 accent-accent"
      />
      Compare
    </label>
  )
}
