import type { CreatedAgent } from '@agent-marketplace/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AgentMark } from '../../components/agents/AgentMark.tsx'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { Address } from '../../components/money/Address.tsx'
import { Card, Fact, Section } from '../../components/page/Card.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { agentQuery } from '../../data/agents/agents.ts'
import { useClient } from '../../session/SessionProvider.tsx'
import { ConnectPanel } from './connect/ConnectPanel.tsx'
import { ListingState } from './ListingState.tsx'

const LOOK_AGAIN_MS = 3_000

/** The agent and its wallet exist. Its way into the list is followed until it is there. */
export function CreatedPanel({ agent }: { agent: CreatedAgent }) {
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
        <dl className="grid gap-6 sm:grid-cols-2">
          <Fact label="Wallet">
            <Address address={agent.walletAddress} />
          </Fact>
          <Fact label="Listing">
            <span role="status">
              <ListingState agent={current.data ?? agent} />
            </span>
          </Fact>
        </dl>
      </Card>
      <ConnectPanel wallet={agent.walletAddress} isNew />
      <Section title="What comes next">
        <Card>
          <ol className="flex flex-col gap-6">
            <NextStep
              title="Look at it as a buyer does"
              action={
                <ButtonLink to="/agents/$wallet" params={params} look="primary">
                  See its page
                </ButtonLink>
              }
            >
              Its page is public as soon as it is listed. Send the link to somebody who should hire it.
            </NextStep>
            <NextStep
              title="Wait for the first job"
              action={
                <ButtonLink to="/sell" look="quiet">
                  Back to Sell
                </ButtonLink>
              }
            >
              It appears under Sell with its deadline, and the bell rings.
            </NextStep>
          </ol>
        </Card>
      </Section>
    </div>
  )
}

function NextStep({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="font-medium">{title}</h3>
        <p className="text-14 text-ink-muted">{children}</p>
      </div>
      <div className="flex flex-wrap gap-2">{action}</div>
    </li>
  )
}
