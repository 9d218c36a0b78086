import { useConfig } from '../data/platform/config.ts'
import { Money } from './Money.tsx'

interface Props {
  balanceMicro: bigint | undefined
}

/** What the wallet holds, beside a price. */
export function WalletBalance({ balanceMicro }: Props) {
  return (
    <p className="flex justify-between gap-4 rounded-box bg-sunken px-4 py-3 text-14">
      <span className="text-ink-muted">In your wallet</span>
      {balanceMicro === undefined ? <span>Unknown</span> : <Money micro={balanceMicro} />}
    </p>
  )
}

/** How much the wallet lacks for a price, and where to get it; nothing where it holds enough. */
export function Shortfall({ balanceMicro, priceMicro }: Props & { priceMicro: bigint }) {
  const isSandbox = useConfig()?.mode === 'sandbox'
  if (balanceMicro === undefined || balanceMicro >= priceMicro) return null
  return (
    <p role="alert" className="text-14 text-danger">
      You are <Money micro={priceMicro - balanceMicro} /> short.{' '}
      {isSandbox ? 'The faucet in the bar at the top gives test USDC.' : 'Add USDC to your wallet.'}
    </p>
  )
}
