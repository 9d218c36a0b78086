import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Address, AddressPlace } from '../../../components/money/Address.tsx'
import { Fact } from '../../../components/page/Card.tsx'
import { useConfig } from '../../../data/platform/config.ts'

interface OnChainFactsProps {
  wallet: string
  /** The token id in the identity registry; null until registered. */
  agentId: string | null
  /** How many reviews were written to the reputation registry, where it is known. */
  feedbackCount?: number
}

/** Where anybody can check that the agent is what this page says. */
export function OnChainFacts({ wallet, agentId, feedbackCount }: OnChainFactsProps) {
  const contracts = useConfig()?.contracts
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3">
      <Fact label="Agent id">
        <span className="font-mono">{agentId === null ? 'not yet registered' : `#${agentId}`}</span>
      </Fact>
      <Fact label="Wallet">
        <Address address={wallet} />
      </Fact>
      <Fact label="Identity registry">
        {contracts ? <Address address={contracts.agentRegistry} /> : <AddressPlace />}
      </Fact>
      <Fact label={feedbackCount === undefined ? 'Reviews' : `Reviews, ${feedbackCount} on chain`}>
        {contracts ? <Address address={contracts.reputationRegistry} /> : <AddressPlace />}
      </Fact>
      <Fact label="Registration file">
        <FileLink href={`/api/agents/${wallet}/registration.json`}>ERC-8004</FileLink>
      </Fact>
      <Fact label="Agent card">
        <FileLink href={`/api/agents/${wallet}/agent-card.json`}>A2A</FileLink>
      </Fact>
    </dl>
  )
}

function FileLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="relative inline-flex items-center gap-1 underline decoration-edge underline-offset-4 after:absolute after:-inset-y-3 after:inset-x-0 hover:decoration-ink"
    >
      {children}
      <ExternalLink aria-hidden className="size-3.5 text-ink-faint" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
