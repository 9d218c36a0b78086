import { Section } from '../../components/Card.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { RequireSeller } from '../../session/gates.tsx'
import { FlatPlan } from './FlatPlan.tsx'
import { PayerCard } from './PayerCard.tsx'
import { QuotaPlan } from './QuotaPlan.tsx'
import { usePayer } from './usePayer.ts'

export function PlansPage() {
  return (
    <RequireSeller what="your plans">
      <Plans />
    </RequireSeller>
  )
}

function Plans() {
  const payer = usePayer()
  return (
    <div className="flex flex-col gap-10">
      <PageHeader
        title="Plans"
        hint="You sign once for each plan. It is pulled every 30 days, never more than you signed for, until you cancel."
      />
      <QuotaPlan payer={payer} />
      <PayerCard payer={payer} />
      <Section title="More plans">
        <div className="grid gap-4 lg:grid-cols-3">
          <FlatPlan plan="PREMIUM_LISTING" payer={payer} />
          <FlatPlan plan="API_ACCESS" payer={payer} />
          <FlatPlan plan="ENTERPRISE" payer={payer} />
        </div>
      </Section>
    </div>
  )
}
