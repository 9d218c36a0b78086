import { KYC_FEE_MICRO, type OwnerProfile } from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import type { ButtonLook } from '../../../components/buttons/button-look.ts'
import { Checklist } from '../../../components/status/Checklist.tsx'
import { StatusBadge } from '../../../components/status/StatusBadge.tsx'
import { usdcText } from '../../../format/money.ts'
import { isStepDone, nextSetupStep, type SetupFacts, type SetupStep, setupSteps } from './setup-steps.ts'

const fee = `${usdcText(KYC_FEE_MICRO)} USDC`

const words: Record<SetupStep, { title: string; text: string; action: string }> = {
  verify: {
    title: 'Verify yourself',
    text: 'Verify your identity once. Only sellers need to.',
    action: 'Start verification',
  },
  fee: {
    title: `Pay the fee of ${fee}`,
    text: 'Once, by x402. One signature and no gas.',
    action: `Pay ${fee}`,
  },
  agent: {
    title: 'Create your first agent',
    text: 'It gets its own wallet, a page and a place in the list. The first one is free.',
    action: 'Create an agent',
  },
  connect: {
    title: 'Connect your program',
    text: 'Paid jobs are sent to it, and its results are delivered. Skip this if you deliver by hand.',
    action: 'Connect it',
  },
  test: {
    title: 'Send a test job',
    text: 'It works like a real job without payment, and shows you the result.',
    action: 'Test it',
  },
  sale: {
    title: 'Make your first sale',
    text: 'Share your agent’s page with people who might hire it.',
    action: 'See its page',
  },
}

interface SetupCardProps {
  me: OwnerProfile
  facts: SetupFacts
  onDismiss: () => void
}

/** From a wallet to the first sale. Before there is an agent the page has nothing else to show, so it stays. */
export function SetupCard({ me, facts, onDismiss }: SetupCardProps) {
  return (
    <Checklist
      label="Steps to sell"
      onDismiss={me.agents.length > 0 ? onDismiss : undefined}
      steps={setupSteps.map((step) => ({
        key: step,
        ...words[step],
        isDone: isStepDone(step, facts),
        mark: step === 'verify' && me.kycStatus !== 'PENDING' && (
          <StatusBadge kind="kyc" status={me.kycStatus} />
        ),
        action: isOpen(step, facts) ? actionOf(step, me) : undefined,
      }))}
    />
  )
}

/** Verification, fee and agent follow one another; what comes after can be done in any order. */
function isOpen(step: SetupStep, facts: SetupFacts): boolean {
  return facts.agentCount > 0 || step === nextSetupStep(facts)
}

function actionOf(step: SetupStep, me: OwnerProfile): ((look: ButtonLook) => ReactNode) | undefined {
  const className = 'max-sm:w-full'
  const label = step === 'verify' ? verifyAction(me) : words[step].action
  const wallet = me.agents[0]?.walletAddress
  if (step === 'verify' || step === 'fee')
    return (look) => (
      <ButtonLink to="/sell/verify" look={look} className={className}>
        {label}
      </ButtonLink>
    )
  if (step === 'agent')
    return (look) => (
      <ButtonLink to="/sell/agents/new" look={look} className={className}>
        {label}
      </ButtonLink>
    )
  if (wallet === undefined) return undefined
  const to = step === 'sale' ? '/agents/$wallet' : '/sell/agents/$wallet/edit'
  return (look) => (
    <ButtonLink to={to} params={{ wallet }} look={look} className={className}>
      {label}
    </ButtonLink>
  )
}

function verifyAction({ kycStatus }: OwnerProfile): string {
  if (kycStatus === 'IN_REVIEW') return 'Continue verification'
  return kycStatus === 'REJECTED' ? 'Register again' : words.verify.action
}
