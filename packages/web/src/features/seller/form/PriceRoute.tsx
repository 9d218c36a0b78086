import { railFor, splitPrice } from '@agent-marketplace/contract'
import { Money } from '../../../components/money/Money.tsx'
import type { MoneyValue } from './agent-values.ts'

/** Which way a price is paid and what of it arrives: the price alone decides. */
export function PriceRoute({ priceMicro }: { priceMicro: MoneyValue }) {
  if (typeof priceMicro !== 'bigint' || priceMicro === 0n) {
    return (
      <p className="text-14 text-ink-faint">
        Below 100 USDC by x402 without a fee, from 100 by escrow at 2%.
      </p>
    )
  }
  const { method, name, holdsMoney, feeBps } = railFor(priceMicro)
  const { netMicro } = splitPrice(priceMicro, method)
  return (
    <p className="text-14 text-ink-muted">
      <span className="font-medium text-ink">{name}</span>:{' '}
      {holdsMoney ? `held until the delivery is approved, ${feeBps / 100n}% fee` : 'paid at once, no fee'}.
      You get <Money micro={netMicro} />.
    </p>
  )
}
