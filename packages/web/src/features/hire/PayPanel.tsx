import type { AgentDetail, JobQuote, PaymentMethod } from '@agent-marketplace/contract'
import type { BodyOf } from '@agent-marketplace/sdk'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../components/buttons/Button.tsx'
import { MoneyFlow } from '../../components/money/MoneyFlow.tsx'
import { Card } from '../../components/page/Card.tsx'
import { ErrorState } from '../../components/page/ErrorState.tsx'
import { type Step, Stepper } from '../../components/status/Stepper.tsx'
import { balanceQuery } from '../../data/account/balance.ts'
import { useOwnAgent } from '../../data/agents/own-agent.ts'
import { useConfig } from '../../data/platform/config.ts'
import { useOwner } from '../../session/SessionProvider.tsx'
import { isRejectedByUser } from '../../session/wallet-error.ts'
import { BalanceCheck } from './BalanceCheck.tsx'
import { RouteNote } from './RouteNote.tsx'
import { useHire } from './useHire.ts'

interface PayPanelProps {
  agent: AgentDetail
  body: BodyOf<'quoteJob'>
  method: PaymentMethod
  /** Undefined until the service has looked the order over. */
  quote: JobQuote | undefined
  quoteError: unknown
  onAskAgain: () => void
}

/** What I pay, what the agent gets, which way it goes, whether I have it; then the one signature. */
export function PayPanel({ agent, body, method, quote, quoteError, onAskAgain }: PayPanelProps) {
  const { walletAddress } = useOwner()
  const balance = useQuery(balanceQuery(useConfig(), walletAddress ?? undefined))
  const isOwn = useOwnAgent(agent.walletAddress) !== undefined
  const isCustom = body.serviceId === undefined
  const isRequest = quote?.needsAcceptance ?? (isCustom && agent.customOrders === 'ON_REQUEST')
  const { hire, isSigned, price } = useHire(agent, body, { isRequest })
  const priceMicro = BigInt(body.agreedPrice)
  const isShort = balance.data !== undefined && balance.data < priceMicro
  return (
    <aside aria-label="Payment" className="lg:sticky lg:top-20">
      <Card className="flex flex-col gap-4">
        <MoneyFlow
          priceMicro={priceMicro}
          {...(quote ? { feeMicro: quote.platformFee, netMicro: quote.netAmount } : {})}
          agentName={agent.name}
        />
        <RouteNote method={method} />
        <BalanceCheck balanceMicro={balance.data} isReading={balance.isPending} priceMicro={priceMicro} />
        {isOwn && (
          <p className="text-14 text-ink-muted">
            This is your own agent. The job works like any other, and never counts toward its reputation.
          </p>
        )}
        {quoteError !== null && quoteError !== undefined && (
          <ErrorState error={quoteError} onRetry={onAskAgain} />
        )}
        <Outcome error={hire.error} />
        <Button
          look="primary"
          isBusy={hire.isPending}
          isDisabled={(isShort && !isRequest) || !quote}
          onClick={() => hire.mutate()}
        >
          {isRequest ? 'Send the order' : `Hire for ${price}`}
        </Button>
        {isRequest ? (
          <p className="text-12 text-ink-muted">
            You sign and pay nothing now. The seller accepts or declines within 24 hours; you pay after that.
          </p>
        ) : hire.isPending ? (
          <div role="status">
            <Stepper label="Your payment" steps={stepsOf(isSigned)} />
          </div>
        ) : (
          <p className="text-12 text-ink-muted">
            Your wallet signs a permission for exactly {price}. You pay no gas.
          </p>
        )}
      </Card>
    </aside>
  )
}

/** Declining to sign is a choice: nothing has happened, and the order is kept. */
function Outcome({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null
  if (!isRejectedByUser(error)) return <ErrorState error={error} />
  return (
    <p role="status" className="rounded-box bg-sunken p-3 text-14">
      You did not sign. Nothing was made or paid, and your order is kept.
    </p>
  )
}

/** The first steps of the story; the job page shows the rest. */
function stepsOf(isSigned: boolean): Step[] {
  return [
    {
      key: 'signed',
      title: isSigned ? 'Signed by you' : 'Confirm in your wallet',
      state: isSigned ? 'done' : 'current',
    },
    { key: 'sent', title: 'Sent to the chain', state: isSigned ? 'current' : 'ahead' },
    { key: 'confirmed', title: 'Confirmed in a block', state: 'ahead' },
    { key: 'final', title: 'Final', state: 'ahead' },
  ]
}
