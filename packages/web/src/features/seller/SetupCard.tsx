import { KYC_FEE_MICRO, type OwnerProfile } from '@agent-marketplace/contract'
import { Check } from 'lucide-react'
import { ButtonLink } from '../../components/ButtonLink.tsx'
import { Card } from '../../components/Card.tsx'
import { StatusBadge } from '../../components/StatusBadge.tsx'
import { cx } from '../../design/cx.ts'
import { usdcText } from '../../format/money.ts'
import { isStepDone, nextSetupStep, type SetupStep, setupSteps } from './setup-steps.ts'

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
}

const places = { verify: '/sell/verify', fee: '/sell/verify', agent: '/sell/agents/new' } as const

/** Three steps from a wallet to the first listed agent, the next one with its button. */
export function SetupCard({ me }: { me: OwnerProfile }) {
  const next = nextSetupStep(me, me.agents.length)
  return (
    <Card padding="none">
      <ol aria-label="Steps to sell" className="divide-y divide-line">
        {setupSteps.map((step, index) => {
          const isDone = isStepDone(step, me, me.agents.length)
          const isNext = step === next
          return (
            <li
              key={step}
              aria-current={isNext ? 'step' : undefined}
              className="flex flex-wrap items-center gap-4 p-4 sm:p-6"
            >
              <span
                aria-hidden
                className={cx(
                  'grid size-8 shrink-0 place-items-center rounded-pill font-mono text-14',
                  isDone && 'bg-ink text-ground',
                  isNext && 'border-2 border-accent',
                  !isDone && !isNext && 'border-2 border-line text-ink-faint',
                )}
              >
                {isDone ? <Check className="size-4" strokeWidth={3} /> : index + 1}
              </span>
              <div className="min-w-0 flex-1 basis-56">
                <p className={cx('font-medium', !isDone && !isNext && 'text-ink-muted')}>
                  {words[step].title}
                  <span className="sr-only">{isDone ? ', done' : ''}</span>
                </p>
                <p className="text-14 text-ink-muted">{words[step].text}</p>
              </div>
              {step === 'verify' && me.kycStatus !== 'PENDING' && (
                <StatusBadge kind="kyc" status={me.kycStatus} />
              )}
              {isNext && (
                <ButtonLink to={places[step]} look="primary" className="max-sm:w-full">
                  {step === 'verify' ? verifyAction(me) : words[step].action}
                </ButtonLink>
              )}
            </li>
          )
        })}
      </ol>
    </Card>
  )
}

function verifyAction({ kycStatus }: OwnerProfile): string {
  if (kycStatus === 'IN_REVIEW') return 'Continue verification'
  return kycStatus === 'REJECTED' ? 'Register again' : words.verify.action
}
