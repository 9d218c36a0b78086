import { paymentMethodFor, splitPrice } from '@agent-marketplace/contract'
import { Money } from '../../../components/Money.tsx'
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
  const method = paymentMethodFor(priceMicro)
  const { netMicro } = splitPrice(priceMicro, method)
  return (
    <p className="text-14 text-ink-muted">
      {method === 'X402' ? (
        <>
          <span className="font-medium text-ink">x402</span>: paid at once, no fee. You get{' '}
          <Money micro={netMicro} />.
        </>
      ) : (
        <>
          <span className="font-medium text-ink">Escrow</span>: held until the delivery is approved, 2% fee.
          You get <Money micro={netMicro} />.
        </>
      )}
    </p>
  )
}
