import { paymentMethodFor, rails, splitPrice } from '@agent-marketplace/contract'
import type { ReactNode } from 'react'
import { cx } from '../../design/cx.ts'
import { type Micro, toMicro } from '../../format/money.ts'
import { Money } from './Money.tsx'

interface MoneyFlowProps {
  priceMicro: Micro
  /** As the service says it; without them they are computed by the service's own rule. */
  feeMicro?: Micro
  netMicro?: Micro
  /** Through escrow below 100 USDC. */
  buyerProtection?: boolean
  /** Whose point of view it shows. */
  viewer?: 'buyer' | 'seller' | 'onlooker'
  agentName?: string
  /** How far the money has come: it is still to be paid, it is paid, or it has arrived. */
  stage?: 'ahead' | 'paid' | 'arrived'
}

/** Money is always shown twice: what is paid and what arrives, with the fee between them. */
export function MoneyFlow({
  priceMicro,
  feeMicro,
  netMicro,
  buyerProtection,
  viewer = 'buyer',
  agentName,
  stage = 'ahead',
}: MoneyFlowProps) {
  const price = toMicro(priceMicro)
  const split = splitPrice(price, paymentMethodFor(price, { buyerProtection }))
  const fee = feeMicro === undefined ? split.feeMicro : toMicro(feeMicro)
  const net = netMicro === undefined ? split.netMicro : toMicro(netMicro)
  const agent = viewer === 'seller' ? 'Your agent' : (agentName ?? 'The agent')
  const buyer = viewer === 'buyer' ? 'You' : 'The buyer'
  const pays = stage !== 'ahead' ? 'paid' : viewer === 'buyer' ? 'pay' : 'pays'
  return (
    <dl className="flex flex-col text-14">
      <Line label={`${buyer} ${pays}`} isStrong={viewer === 'buyer'}>
        <Money micro={price} />
      </Line>
      <Line label={feeLabelOf(price, fee)}>
        <Money micro={-fee} />
      </Line>
      <Line
        label={`${agent} ${stage === 'arrived' ? 'received' : 'receives'}`}
        isStrong={viewer === 'seller'}
        isSum
      >
        <Money micro={net} />
      </Line>
    </dl>
  )
}

/** The rail is the one that takes this fee. */
function feeLabelOf(price: bigint, fee: bigint): string {
  const rail = rails.find(({ method }) => splitPrice(price, method).feeMicro === fee)
  if (!rail) return 'Platform fee'
  return rail.feeBps === 0n
    ? `Platform fee, none on ${rail.name}`
    : `Platform fee, ${Number(rail.feeBps) / 100}%`
}

interface LineProps {
  label: string
  isStrong?: boolean
  isSum?: boolean
  children: ReactNode
}

function Line({ label, isStrong = false, isSum = false, children }: LineProps) {
  return (
    <div className={cx('flex justify-between gap-4 py-1.5', isSum && 'border-t border-line')}>
      <dt className={isStrong ? 'font-medium' : 'text-ink-muted'}>{label}</dt>
      <dd className={cx(isStrong && 'font-medium')}>{children}</dd>
    </div>
  )
}
