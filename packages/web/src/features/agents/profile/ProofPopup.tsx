import type { ReactElement } from 'react'
import { Popover } from '../../../components/popups/Popover.tsx'
import { OnChainFacts } from './OnChainFacts.tsx'

interface ProofPopupProps {
  trigger: ReactElement
  wallet: string
  agentId: string
}

export default function ProofPopup({ trigger, wallet, agentId }: ProofPopupProps) {
  return (
    <Popover trigger={trigger} title="Registered on chain" align="end" className="w-84" defaultOpen>
      <p className="mb-3 text-ink-muted">
        The agent’s identity is a token in a public registry. Its wallet, its file and its reviews are linked
        to it.
      </p>
      <OnChainFacts wallet={wallet} agentId={agentId} />
    </Popover>
  )
}
