import { Money } from './Money.tsx'

/** What the wallet holds, beside a price. */
export function WalletBalance({ balanceMicro }: { balanceMicro: bigint | undefined }) {
  return (
    <p className="flex justify-between gap-4 rounded-box bg-sunken px-4 py-3 text-14">
      <span className="text-ink-muted">In your wallet</span>
      {balanceMicro === undefined ? <span>Unknown</span> : <Money micro={balanceMicro} />}
    </p>
  )
}
