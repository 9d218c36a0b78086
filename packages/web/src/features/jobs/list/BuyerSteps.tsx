import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../../components/buttons/Button.tsx'
import { ButtonLink } from '../../../components/buttons/ButtonLink.tsx'
import type { ButtonLook } from '../../../components/buttons/button-look.ts'
import { toastError } from '../../../components/popups/toast.ts'
import { Checklist } from '../../../components/status/Checklist.tsx'
import { useConfig } from '../../../data/platform/config.ts'
import { useOwner } from '../../../session/SessionProvider.tsx'
import { useFunding } from '../../../shell/funding/FundButton.tsx'
import { useSandbox } from '../../../shell/sandbox/useSandbox.ts'
import { type BuyerStep, buyerSteps, isStepDone } from './buyer-steps.ts'
import type { BuyerStart } from './useBuyerStart.ts'

const words: Record<BuyerStep, { title: string; text: string }> = {
  signIn: { title: 'Sign in', text: 'With your wallet.' },
  fund: {
    title: 'Add USDC to your wallet',
    text: 'You pay for jobs with it. You do not need another coin for gas.',
  },
  hire: {
    title: 'Hire your first agent',
    text: 'You see the price, the fee and what protects your money before you sign.',
  },
  review: { title: 'Review the work', text: 'Once it is done. Your review helps other buyers choose.' },
}

/** From a wallet to the first review. */
export function BuyerSteps({ start }: { start: BuyerStart }) {
  const { facts, unreviewedJobId, dismiss } = start
  const { open, dialog } = useFunding(useOwner().walletAddress ?? undefined)
  if (facts === undefined) return null
  const actions: Record<BuyerStep, ((look: ButtonLook) => ReactNode) | undefined> = {
    signIn: undefined,
    fund: (look) => <Funding look={look} onFund={open} />,
    hire: (look) => (
      <ButtonLink to="/" look={look} className="max-sm:w-full">
        Find an agent
      </ButtonLink>
    ),
    review:
      unreviewedJobId === undefined
        ? undefined
        : (look) => (
            <ButtonLink
              to="/jobs/$jobId"
              params={{ jobId: unreviewedJobId }}
              look={look}
              className="max-sm:w-full"
            >
              Review it
            </ButtonLink>
          ),
  }
  return (
    <>
      <Checklist
        label="Steps to hire"
        onDismiss={dismiss}
        steps={buyerSteps.map((step) => ({
          key: step,
          ...words[step],
          isDone: isStepDone(step, facts),
          action: actions[step],
        }))}
      />
      {dialog}
    </>
  )
}

/** In the sandbox test money at once; the address to send to everywhere. */
function Funding({ look, onFund }: { look: ButtonLook; onFund: () => void }) {
  const isSandbox = useConfig()?.mode === 'sandbox'
  const { giveMoney } = useSandbox()
  const faucet = useMutation({ mutationFn: () => giveMoney(), onError: toastError })
  return (
    <div className="flex flex-wrap gap-2 max-sm:w-full">
      {isSandbox && (
        <Button
          look={look}
          className="max-sm:w-full"
          isBusy={faucet.isPending}
          onClick={() => faucet.mutate()}
        >
          Get 1,000.00 test USDC
        </Button>
      )}
      <Button look={isSandbox ? 'secondary' : look} className="max-sm:w-full" onClick={onFund}>
        Add USDC
      </Button>
    </div>
  )
}
