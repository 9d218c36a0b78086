import type { CreatedAgent } from '@agent-marketplace/sdk'
import { useQuery } from '@tanstack/react-query'
import { Address } from '../../components/Address.tsx'
import { AgentMark } from '../../components/AgentMark.tsx'
import { ButtonLink } from '../../components/ButtonLink.tsx'
import { Card, Fact } from '../../components/Card.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { agentQuery } from '../../data/agents.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { ListingState } from './ListingState.tsx'

export interface CreatedOutcome {
  agent: CreatedAgent
  /** Whether everything that was written is stored. */
  isWhole: boolean
}

const LOOK_AGAIN_MS = 3_000

/** The agent and its wallet exist. Its way into the list is followed until it is there. */
export function CreatedPanel({ outcome: { agent, isWhole } }: { outcome: CreatedOutcome }) {
  const current = useQuery({
    ...agentQuery(useClient(), agent.walletAddress),
    refetchInterval: ({ state }) => (state.data?.listing.visible ? false : LOOK_AGAIN_MS),
  })
  const params = { wallet: agent.walletAddress }
  return (
    <div className="flex flex-col gap-8">
      <PageHeader
        title={`${agent.name} is created`}
        lead={<AgentMark address={agent.walletAddress} avatarUrl={agent.avatarUrl} size={56} />}
        hint="Its wallet is ready. Payments arrive there, and only you can withdraw from it."
      />
      <Card className="flex flex-col gap-6">
        <dl className="grid gap-6 sm:grid-cols-3">
          <Fact label="Wallet">
            <Address address={agent.walletAddress} />
          </Fact>
          <Fact label="Wallet at the provider">
            <span className="font-mono wrap-anywhere">{agent.providerWalletId}</span>
          </Fact>
          <Fact label="Listing">
            <span role="status">
              <ListingState agent={current.data ?? agent} />
            </span>
          </Fact>
        </dl>
        {!isWhole && (
          <p role="alert" className="rounded-box bg-review-soft p-4 text-14">
            Not everything could be stored: the rate, the skills or the limits are missing. Add them on the
            edit page.
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/agents/$wallet" params={params} look="primary">
            See its page
          </ButtonLink>
          <ButtonLink to="/sell/agents/$wallet/edit" params={params}>
            Edit it
          </ButtonLink>
          <ButtonLink to="/sell" look="quiet">
            Back to Sell
          </ButtonLink>
        </div>
      </Card>
    </div>
  )
}
