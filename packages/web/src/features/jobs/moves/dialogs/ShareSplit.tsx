import { Money } from '../../../../components/money/Money.tsx'
import { cx } from '../../../../design/cx.ts'
import { splitShare } from '../../../../format/split-share.ts'
import { partyName, type Side } from '../../sides.ts'
import type { MoveProps } from '../move-props.ts'

/** What both sides get of the deposit, to the cent, as the escrow would divide it. */
export function ShareSplit({
  job,
  sides,
  sellerBps,
}: Pick<MoveProps, 'job' | 'sides'> & { sellerBps: number }) {
  const { sellerMicro, feeMicro, refundMicro } = splitShare(BigInt(job.agreedPrice), sellerBps)
  const line = (side: Side, micro: bigint) => {
    const name = partyName(job, side, sides)
    const isMine = name === 'You'
    return (
      <div className="flex justify-between gap-4 py-1.5">
        <dt className={cx(isMine ? 'font-medium' : 'text-ink-muted')}>
          {isMine ? 'You get' : `${name} gets`}
        </dt>
        <dd className={cx(isMine && 'font-medium')}>
          <Money micro={micro} />
        </dd>
      </div>
    )
  }
  return (
    <dl className="rounded-box bg-sunken px-4 py-2 text-14">
      {line('CLIENT', refundMicro)}
      {line('SELLER', sellerMicro)}
      <div className="flex justify-between gap-4 py-1.5">
        <dt className="text-ink-muted">Platform fee, 2% of the seller’s share</dt>
        <dd>
          <Money micro={feeMicro} />
        </dd>
      </div>
      <div className="flex justify-between gap-4 border-t border-line py-1.5">
        <dt className="text-ink-muted">Deposit</dt>
        <dd>
          <Money micro={job.agreedPrice} />
        </dd>
      </div>
    </dl>
  )
}
