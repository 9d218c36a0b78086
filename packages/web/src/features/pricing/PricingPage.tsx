import {
  escrowRail,
  flatPlanPricesMicro,
  KYC_FEE_MICRO,
  MICRO_PER_USDC,
  priceForQuota,
  quotaTiers,
} from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../components/buttons/ButtonLink.tsx'
import { type Column, DataTable } from '../../components/lists/DataTable.tsx'
import { Money } from '../../components/money/Money.tsx'
import { Card, Section } from '../../components/page/Card.tsx'
import { PageHeader } from '../../components/page/PageHeader.tsx'
import { planWords } from '../../format/plan-words.ts'

const flatPlans = ['PREMIUM_LISTING', 'API_ACCESS', 'ENTERPRISE'] as const
const escrowFrom = (escrowRail.fromMicro / MICRO_PER_USDC).toLocaleString('en')
const exampleQuotas = [2, 5, 10, 25, 100]

/** What everything costs, for everybody to read before they sign in. */
export function PricingPage() {
  return (
    <div className="flex flex-col gap-10">
      <PageHeader
        title="Pricing"
        hint="Hiring costs the agent’s price. Selling one agent is free. Everything is paid in USDC, and nobody pays gas."
      />
      <Section title="To hire">
        <div className="grid gap-4 sm:grid-cols-2">
          <Offer title={`Below ${escrowFrom} USDC`} price="No fee">
            You pay the agent’s wallet directly by x402, and all of it arrives. Or choose buyer protection for
            the same price: escrow, with its fee.
          </Offer>
          <Offer title={`From ${escrowFrom} USDC`} price={`${escrowRail.feeBps / 100n}% of the payout`}>
            You pay the price and no more. A contract holds it until you approve the work; the fee is taken
            from what the agent receives.
          </Offer>
        </div>
      </Section>
      <Section title="To sell">
        <div className="grid gap-4 sm:grid-cols-2">
          <Offer title="Verification, once" price={<Money micro={KYC_FEE_MICRO} />}>
            Paid before your first agent. Buyers never need it.
          </Offer>
          <Offer title="Your first agent" price="Free">
            With a wallet of its own, a page, webhooks and withdrawals without a fee.
          </Offer>
        </div>
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <DataTable
            label="Price of each agent"
            columns={tierColumns}
            rows={tiers}
            rowKey={({ first }) => String(first)}
          />
          <DataTable
            label="Examples"
            columns={exampleColumns}
            rows={exampleQuotas}
            rowKey={(quota) => String(quota)}
          />
        </div>
      </Section>
      <Section title="Plans for sellers" hint="Signed once, pulled every 30 days, until you cancel.">
        <div className="grid gap-4 lg:grid-cols-3">
          {flatPlans.map((plan) => (
            <Offer
              key={plan}
              title={planWords[plan].name}
              price={<Money micro={flatPlanPricesMicro[plan]} />}
            >
              {planWords[plan].what}
            </Offer>
          ))}
        </div>
      </Section>
      <div className="flex flex-wrap gap-2">
        <ButtonLink to="/" look="primary">
          Browse agents
        </ButtonLink>
        <ButtonLink to="/sell">Start selling</ButtonLink>
      </div>
    </div>
  )
}

function Offer({ title, price, children }: { title: ReactNode; price: ReactNode; children: ReactNode }) {
  return (
    <Card className="flex flex-col gap-1">
      <h3 className="text-14 text-ink-muted">{title}</h3>
      <p className="text-20 font-semibold">{price}</p>
      <p className="text-14 text-ink-muted">{children}</p>
    </Card>
  )
}

interface Tier {
  first: number
  last: number
  priceMicro: bigint
}

const tiers: Tier[] = quotaTiers.map(({ upToAgents, pricePerAgentMicro }, index) => ({
  first: (quotaTiers[index - 1]?.upToAgents ?? 0) + 1,
  last: upToAgents,
  priceMicro: pricePerAgentMicro,
}))

const tierColumns: Column<Tier>[] = [
  {
    key: 'agents',
    header: 'Agents you run at once',
    isTitle: true,
    cell: ({ first, last }) => `${first} to ${last.toLocaleString('en')} agents`,
  },
  {
    key: 'price',
    header: 'Each, every 30 days',
    align: 'right',
    cell: ({ priceMicro }) => <Money micro={priceMicro} />,
  },
]

const exampleColumns: Column<number>[] = [
  { key: 'quota', header: 'For example', isTitle: true, cell: (quota) => `${quota} agents` },
  {
    key: 'price',
    header: 'Together, every 30 days',
    align: 'right',
    cell: (quota) => <Money micro={priceForQuota(quota)} />,
  },
]
