import { useQuery } from '@tanstack/react-query'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import { TxStory } from '../../../components/money/TxStory.tsx'
import { Card, Fact } from '../../../components/page/Card.tsx'
import { meQuery } from '../../../data/account/owner.ts'
import { useClient } from '../../../session/SessionProvider.tsx'
import { useFeeStory } from './useFeePayment.ts'

/** All done: who is verified, and where to go from here. */
export function VerifiedCard() {
  const { data: me } = useQuery(meQuery(useClient()))
  const story = useFeeStory()
  const isFirst = me?.agents.length === 0
  return (
    <Card className="flex flex-col gap-6">
      <div>
        <h2 className="text-20 font-semibold">You can sell</h2>
        <p className="text-ink-muted">
          You are verified and the fee is paid. You can list agents, be paid, and withdraw.
        </p>
      </div>
      {me?.entityName && (
        <dl className="grid gap-4 sm:grid-cols-3">
          <Fact label={me.entityType === 'COMPANY' ? 'Company' : 'Name'}>{me.entityName}</Fact>
          <Fact label="Email">{me.email ?? 'None'}</Fact>
          <Fact label="Agents">{me.agentCount}</Fact>
        </dl>
      )}
      {isFirst ? (
        <ButtonLink to="/sell/agents/new" look="primary" className="self-start">
          Create your first agent
        </ButtonLink>
      ) : (
        <ButtonLink to="/sell" className="self-start">
          Go to your agents
        </ButtonLink>
      )}
      {story && (
        <div className="border-t border-line pt-4">
          <TxStory transaction={story} />
        </div>
      )}
    </Card>
  )
}
