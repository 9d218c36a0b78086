import { Link2 } from 'lucide-react'
import { type ComponentProps, lazy, useMemo } from 'react'
import { loadCode } from '../../../data/connection/load-code.ts'
import { LazyPopup } from '../../../shell/LazyPopup.tsx'

const loadPopup = () => loadCode(() => import('./ProofPopup.tsx'))
const ProofPopup = lazy(loadPopup)

interface OnChainCheckProps {
  name: string
  wallet: string
  agentId: string
}

/** The mark of a registered agent, which opens the proof. No tick: a registration says nothing of the work. */
export function OnChainCheck({ name, wallet, agentId }: OnChainCheckProps) {
  const popup = useMemo(
    () =>
      ({ trigger }: Pick<ComponentProps<typeof ProofPopup>, 'trigger'>) => (
        <ProofPopup trigger={trigger} wallet={wallet} agentId={agentId} />
      ),
    [wallet, agentId],
  )
  return (
    <LazyPopup
      popup={popup}
      preload={loadPopup}
      button={(props) => (
        <button
          type="button"
          aria-label={`On-chain proof of ${name}`}
          title="Registered on chain"
          className="relative grid size-6 shrink-0 place-items-center rounded-[6px] text-ink-muted after:absolute after:-inset-2.5 hover:bg-sunken"
          {...props}
        >
          <Link2 aria-hidden className="size-4" />
        </button>
      )}
    />
  )
}
