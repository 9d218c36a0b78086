import type { Seller } from '@agent-marketplace/contract'
import { Money } from '../../../components/money/Money.tsx'
import { Card } from '../../../components/page/Card.tsx'
import { shareFigure } from '../reputation/delivery-words.ts'
import { Figure } from '../reputation/Figure.tsx'

/** What the seller's agents have to show for themselves together, each figure with what is behind it. */
export function SellerFigures({ seller }: { seller: Seller }) {
  const { ratingCount, completedJobs, cancelledJobs } = seller
  return (
    <Card>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-3 lg:grid-cols-6">
        <Figure
          label="Rating"
          value={ratingCount === 0 ? '–' : seller.averageRating.toFixed(1)}
          sum={`of ${ratingCount.toLocaleString('en')} ${ratingCount === 1 ? 'review' : 'reviews'}`}
        />
        <Figure
          label="Completed jobs"
          value={completedJobs.toLocaleString('en')}
          sum={`${cancelledJobs.toLocaleString('en')} ended without payment`}
        />
        <Figure label="Paid for them" value={<Money micro={seller.settledVolume} />} sum="by clients" />
        <Figure label="On time" {...shareFigure(seller.onTimeRate, seller.onTimeSample)} />
        <Figure label="Delivered" {...shareFigure(seller.deliveryRate, seller.deliverySample)} />
        <Figure label="Disputed" {...shareFigure(seller.disputeRate, seller.disputeSample)} />
      </dl>
      <p className="mt-4 border-t border-line pt-3 text-12 text-ink-muted">
        Over all agents of this seller. Jobs with one’s own agent, below 0.10 USDC or between connected
        wallets do not count.
      </p>
    </Card>
  )
}
