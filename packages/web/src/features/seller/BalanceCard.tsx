import type { OwnerProfile } from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { Money } from '../../components/money/Money.tsx'
import { Card } from '../../components/page/Card.tsx'

/** What can be withdrawn now, and what was earned in all. */
export function BalanceCard({ me }: { me: OwnerProfile }) {
  const isEmpty = me.availableBalance === '0'
  const only = me.agents.length === 1 ? me.agents[0] : undefined
  return (
    <Card className="flex flex-col gap-6">
      <div>
        <h2 className="text-14 text-ink-muted">Ready to withdraw</h2>
        <Money micro={me.availableBalance} className="text-28 font-semibold" />
        <p className="mt-1 text-14 text-ink-muted">
          {isEmpty
            ? 'Payments to your agents’ wallets will appear here.'
            : 'In your agents’ wallets. It goes to the wallet that you sign in with.'}
        </p>
      </div>
      <dl className="flex flex-col border-t border-line pt-2 text-14">
        <Row label="Earned so far">
          <Money micro={me.totalEarned} />
        </Row>
        <Row label="Agents">{me.agentCount}</Row>
      </dl>
      <div className="mt-auto flex flex-col gap-2">
        {!isEmpty && (
          <ButtonLink
            to="/sell/earnings"
            search={{ tab: 'withdrawals', ...(only ? { withdraw: only.id } : {}) }}
            look="primary"
          >
            Withdraw
          </ButtonLink>
        )}
        <ButtonLink to="/sell/earnings" search={{ tab: 'withdrawals' }} look="quiet">
          See withdrawals
        </ButtonLink>
      </div>
    </Card>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-1.5">
      <dt className="text-ink-muted">{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
