import { PageHeader } from '../../components/page/PageHeader.tsx'
import { StatusBadge } from '../../components/status/StatusBadge.tsx'
import { RequireOwner } from '../../session/gates.tsx'
import { useOwner } from '../../session/SessionProvider.tsx'
import { FeeCard } from './verify/FeeCard.tsx'
import { RegistrationCard } from './verify/RegistrationCard.tsx'
import { VerifiedCard } from './verify/VerifiedCard.tsx'
import { VerifySteps } from './verify/VerifySteps.tsx'
import { WaitingCard } from './verify/WaitingCard.tsx'

export function VerifyPage() {
  return (
    <RequireOwner what="your verification">
      <Verification />
    </RequireOwner>
  )
}

function Verification() {
  const owner = useOwner()
  return (
    <div className="flex flex-col gap-8">
      <PageHeader
        title="Verification"
        hint={
          <span className="flex flex-wrap items-center gap-2">
            Sellers are verified once. Buyers never need to.
            <StatusBadge kind="kyc" status={owner.kycStatus} />
          </span>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_18rem]">
        <div className="order-2 min-w-0 lg:order-1">
          <CurrentStep />
        </div>
        <VerifySteps owner={owner} />
      </div>
    </div>
  )
}

/** One thing to do at a time. */
function CurrentStep() {
  const { kycStatus, kycFeePaid } = useOwner()
  if (kycStatus === 'IN_REVIEW') return <WaitingCard />
  if (kycStatus !== 'VERIFIED') return <RegistrationCard />
  return kycFeePaid ? <VerifiedCard /> : <FeeCard />
}
