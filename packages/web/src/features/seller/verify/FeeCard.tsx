import { KYC_FEE_MICRO } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../components/Button.tsx'
import { Card } from '../../../components/Card.tsx'
import { ErrorState } from '../../../components/ErrorState.tsx'
import { LiveRegion } from '../../../components/LiveRegion.tsx'
import { Money } from '../../../components/Money.tsx'
import { MoneyFlow } from '../../../components/MoneyFlow.tsx'
import { TxStory } from '../../../components/TxStory.tsx'
import { balanceQuery } from '../../../data/account/balance.ts'
import { useConfig } from '../../../data/platform/config.ts'
import { usdcText } from '../../../format/money.ts'
import { useOwner } from '../../../session/SessionProvider.tsx'
import { isRejectedByUser } from '../../../session/wallet-error.ts'
import { useFeePayment, useFeeStory } from './useFeePayment.ts'

const price = `${usdcText(KYC_FEE_MICRO)} USDC`

/** The one-time fee, by x402: what it costs, what the wallet holds, one signature. */
export function FeeCard() {
  const config = useConfig()
  const { walletAddress } = useOwner()
  const { data: balanceMicro } = useQuery(balanceQuery(config, walletAddress ?? undefined))
  const pay = useFeePayment()
  const story = useFeeStory()
  const isShort = balanceMicro !== undefined && balanceMicro < KYC_FEE_MICRO
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="text-20 font-semibold">Pay the verification fee</h2>
        <p className="text-ink-muted">
          You are verified. The fee is paid once, before your first agent, and goes to the marketplace.
        </p>
      </div>
      <div className="max-w-md">
        <MoneyFlow priceMicro={KYC_FEE_MICRO} agentName="The marketplace" />
        <p className="mt-2 flex justify-between gap-4 rounded-box bg-sunken px-4 py-3 text-14">
          <span className="text-ink-muted">In your wallet</span>
          {balanceMicro === undefined ? <span>Unknown</span> : <Money micro={balanceMicro} />}
        </p>
      </div>
      {isShort && (
        <p role="alert" className="text-14 text-danger">
          You are <Money micro={KYC_FEE_MICRO - balanceMicro} /> short.{' '}
          {config?.mode === 'sandbox'
            ? 'The faucet in the bar at the top gives test USDC.'
            : 'Add USDC to your wallet.'}
        </p>
      )}
      {isRejectedByUser(pay.error) && (
        <p role="status" className="rounded-box bg-sunken p-4 text-14">
          You did not sign. Nothing happened.
        </p>
      )}
      {pay.error && !isRejectedByUser(pay.error) && <ErrorState error={pay.error} />}
      <Button
        look="primary"
        className="self-start max-sm:w-full"
        isBusy={pay.isPending}
        isDisabled={isShort}
        onClick={() => pay.mutate()}
      >
        Sign and pay {price}
      </Button>
      <p className="text-14 text-ink-muted">Your wallet signs for exactly this amount. You pay no gas.</p>
      {story && <TxStory transaction={story} />}
      <LiveRegion text={pay.isPending ? 'Confirm in your wallet. The payment follows automatically.' : ''} />
    </Card>
  )
}
