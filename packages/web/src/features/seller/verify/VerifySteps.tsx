import { KYC_FEE_MICRO, type Owner } from '@agent-marketplace/contract'
import { Card } from '../../../components/page/Card.tsx'
import { type Step, Stepper, type StepState } from '../../../components/status/Stepper.tsx'
import { usdcText } from '../../../format/money.ts'

/** Where the verification stands, beside what is to be done now. */
export function VerifySteps({ owner: { kycStatus, kycFeePaid } }: { owner: Owner }) {
  const isRegistered = kycStatus === 'IN_REVIEW' || kycStatus === 'VERIFIED'
  const isVerified = kycStatus === 'VERIFIED'
  const steps: Step[] = [
    {
      key: 'register',
      title: 'Say who you are',
      state: isRegistered ? 'done' : 'current',
      note: kycStatus === 'REJECTED' ? 'You can register again.' : undefined,
    },
    {
      key: 'provider',
      title: 'Identity checked by the provider',
      state: providerState(kycStatus),
      note: kycStatus === 'IN_REVIEW' ? 'Waiting for its response.' : undefined,
    },
    {
      key: 'fee',
      title: `Fee of ${usdcText(KYC_FEE_MICRO)} USDC paid`,
      state: kycFeePaid ? 'done' : isVerified ? 'current' : 'ahead',
      note: 'Once, for all your agents.',
    },
  ]
  return (
    <Card className="order-1 pb-2 sm:pb-2 lg:sticky lg:top-20 lg:order-2">
      <Stepper label="Verification" steps={steps} />
    </Card>
  )
}

function providerState(kycStatus: Owner['kycStatus']): StepState {
  if (kycStatus === 'VERIFIED') return 'done'
  if (kycStatus === 'REJECTED') return 'failed'
  return kycStatus === 'IN_REVIEW' ? 'current' : 'ahead'
}
