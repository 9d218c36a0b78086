import { Money } from '../../components/money/Money.tsx'
import { Skeleton } from '../../components/page/Skeleton.tsx'
import { Shortage } from '../../shell/funding/Shortage.tsx'

interface BalanceCheckProps {
  balanceMicro: bigint | undefined
  isReading: boolean
  priceMicro: bigint
}

/** Whether the wallet holds enough, what is missing, and the ways to get it. */
export function BalanceCheck({ balanceMicro, isReading, priceMicro }: BalanceCheckProps) {
  return (
    <div className="flex flex-col gap-3 text-14">
      <p className="flex justify-between gap-4">
        <span className="text-ink-muted">In your wallet</span>
        {balanceMicro !== undefined && <Money micro={balanceMicro} />}
        {balanceMicro === undefined && (isReading ? <Skeleton className="h-5 w-24" /> : 'Unknown right now')}
      </p>
      <Shortage
        balanceMicro={balanceMicro}
        priceMicro={priceMicro}
        note="Your order is kept in this tab while you add some."
      />
    </div>
  )
}
