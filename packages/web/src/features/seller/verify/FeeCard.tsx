import { KYC_FEE_MICRO } from '@agent-marketplace/contract'
import { useQuery } from '@tanstack/react-query'
import { Button } from '../../../components/buttons/Button.tsx'
import { MoneyFlow } from '../../../components/money/MoneyFlow.tsx'
import { TxStory } from '../../../components/money/TxStory.tsx'
import { WalletBalance } from '../../../components/money/WalletBalance.tsx'
import { Card } from '../../../components/page/Card.tsx'
import { ErrorState } from '../../../components/page/ErrorState.tsx'
import { LiveRegion } from '../../../components/page/LiveRegion.tsx'
import { balanceQuery } from '../../../data/account/balance.ts'
import { useConfig } from '../../../data/platform/config.ts'
import { usdcText } from '../../../format/money.ts'
import { useOwner } from '../../../session/SessionProvider.tsx'
import { isRejectedByUser } from '../../../session/wallet-error.ts'
import { Shortage } from '../../../shell/funding/Shortage.tsx'
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
      <div className="flex max-w-md flex-col gap-2">
        <MoneyFlow priceMicro={KYC_FEE_MICRO} agentName="The marketplace" />
        <WalletBalance balanceMicro={balanceMicro} />
      </div>
      <Shortage balanceMicro={balanceMicro} priceMicro={KYC_FEE_MICRO} />
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
