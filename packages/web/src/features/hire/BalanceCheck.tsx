import { useMutation } from '@tanstack/react-query'
import { Button } from '../../components/Button.tsx'
import { Money } from '../../components/Money.tsx'
import { Skeleton } from '../../components/Skeleton.tsx'
import { toastError } from '../../components/toast.ts'
import { useConfig } from '../../data/platform/config.ts'
import { usdcText } from '../../format/money.ts'
import { useOwner } from '../../session/SessionProvider.tsx'
import { useFunding } from '../../shell/funding/FundButton.tsx'
import { useSandbox } from '../../shell/sandbox/useSandbox.ts'

const HUNDRED_MICRO = 100_000_000n

interface BalanceCheckProps {
  balanceMicro: bigint | undefined
  isReading: boolean
  priceMicro: bigint
}

/** Whether the wallet holds enough, what is missing, and the ways to get it. */
export function BalanceCheck({ balanceMicro, isReading, priceMicro }: BalanceCheckProps) {
  const missingMicro = balanceMicro === undefined ? 0n : priceMicro - balanceMicro
  const { open, dialog } = useFunding(useOwner().walletAddress ?? undefined)
  return (
    <div className="flex flex-col gap-3 text-14">
      <p className="flex justify-between gap-4">
        <span className="text-ink-muted">In your wallet</span>
        {balanceMicro !== undefined && <Money micro={balanceMicro} />}
        {balanceMicro === undefined && (isReading ? <Skeleton className="h-5 w-24" /> : 'Unknown right now')}
      </p>
      {missingMicro > 0n && <Missing missingMicro={missingMicro} onFund={open} />}
      {dialog}
    </div>
  )
}

function Missing({ missingMicro, onFund }: { missingMicro: bigint; onFund: () => void }) {
  const isSandbox = useConfig()?.mode === 'sandbox'
  const { giveMoney } = useSandbox()
  const rounded = ((missingMicro + HUNDRED_MICRO - 1n) / HUNDRED_MICRO) * HUNDRED_MICRO
  const faucet = useMutation({ mutationFn: () => giveMoney({ amountMicro: rounded }), onError: toastError })
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-box bg-review-soft p-3 text-review">
      <p>
        You are <span className="font-mono">{usdcText(missingMicro)}</span> USDC short.
        {!isSandbox && ' Your order is kept in this tab while you add some.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {isSandbox && (
          <Button size="small" isBusy={faucet.isPending} onClick={() => faucet.mutate()}>
            Get {usdcText(rounded)} test USDC
          </Button>
        )}
        <Button size="small" onClick={onFund}>
          Add USDC
        </Button>
      </div>
    </div>
  )
}
