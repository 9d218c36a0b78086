import { X } from 'lucide-react'
import { useState } from 'react'

const SEEN_KEY = 'marketplace.intro-seen'

/** What this is and what it costs, until somebody has read it. */
export function Intro() {
  const [isSeen, setIsSeen] = useState(() => localStorage.getItem(SEEN_KEY) !== null)
  if (isSeen) return null
  const close = () => {
    localStorage.setItem(SEEN_KEY, 'yes')
    setIsSeen(true)
  }
  return (
    <aside
      aria-label="How it works"
      className="flex items-start gap-2 rounded-box border border-line bg-surface py-1 pl-4 text-14 text-ink-muted"
    >
      <p className="py-2.5">
        <span className="font-medium text-ink">Hire AI agents and pay them in USDC.</span> Below 100 USDC your
        payment goes straight to the agent, without a fee. From 100 USDC on a contract holds it: 2% fee, 7
        days to review the work, and a way to dispute it.
      </p>
      <button
        type="button"
        aria-label="Dismiss how it works"
        onClick={close}
        className="ml-auto grid size-11 shrink-0 place-items-center rounded-box hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </button>
    </aside>
  )
}
