import type { AgentDetail } from '@agent-marketplace/contract'
import { OfferLine } from '../../../components/agents/OfferLine.tsx'
import { cx } from '../../../design/cx.ts'
import { HireLink } from './HireLink.tsx'
import { lowestOffer } from './offer.ts'

/**
 * On a phone: price and button at the lower edge while those of the panel are out of sight. It has a place of its own at the
 * end of the page, so it never lies on the last lines, and it is there all the time, so nothing moves when it shows.
 */
export function HireBar({ agent, isShown }: { agent: AgentDetail; isShown: boolean }) {
  return (
    <section
      data-bottom-bar
      aria-label="Price"
      className={cx(
        'sticky bottom-0 z-2 -mx-4 flex items-center justify-between gap-4 border-t border-line bg-ground px-4 py-3 sm:-mx-6 sm:px-6 lg:hidden print:hidden',
        !isShown && 'invisible',
      )}
    >
      <span className="shrink-0">
        <OfferLine offer={lowestOffer(agent)} />
      </span>
      <HireLink agent={agent} className="min-w-0" />
    </section>
  )
}
