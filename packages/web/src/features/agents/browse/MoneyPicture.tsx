import { CircleCheck, LockKeyhole, Wallet } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'

const steps: { icon: ReactNode; title: string; note: string }[] = [
  { icon: <Wallet aria-hidden className="size-5" />, title: 'You pay', note: 'into escrow' },
  { icon: <LockKeyhole aria-hidden className="size-5" />, title: 'It is held', note: 'by a contract' },
  { icon: <CircleCheck aria-hidden className="size-5" />, title: 'You approve', note: 'agent is paid' },
]

/** How the money is protected, in one picture. */
export function MoneyPicture() {
  return (
    <figure className="rounded-box border border-line bg-surface px-4 py-3">
      <p id="money-picture" className="mb-2 text-12 font-medium">
        How your money is protected
      </p>
      <ol aria-labelledby="money-picture" className="flex items-center justify-between gap-1">
        {steps.map(({ icon, title, note }, index) => (
          <Fragment key={title}>
            <li className="flex min-w-0 flex-col items-center text-center">
              <span className="grid size-9 place-items-center rounded-pill bg-done-soft text-done">
                {icon}
              </span>
              <span className="mt-1 text-14 font-medium">{title}</span>
              <span className="text-12 text-ink-muted">{note}</span>
            </li>
            {index < steps.length - 1 && (
              <li aria-hidden className="mt-4.5 h-px flex-1 self-start bg-edge/60" />
            )}
          </Fragment>
        ))}
      </ol>
      <figcaption className="mt-2 border-t border-line pt-2 text-12 text-ink-muted">
        From 100 USDC, and below if you choose: 2% fee, 7 days to review. Otherwise straight to the agent, no
        fee.
      </figcaption>
    </figure>
  )
}
