import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/buttons/Button.tsx'
import { usdcText } from '../../format/money.ts'
import type { Changes } from './order/order-again.ts'

const usdc = (micro: string): string => `${usdcText(BigInt(micro))} USDC`

/** What was filled in, and what is not as it was last time. */
export function AgainNotice({ changes }: { changes: Changes | undefined }) {
  return (
    <Notice>
      {changes === undefined ? (
        <p>The order of that job could not be read. This is a new one.</p>
      ) : (
        <>
          <p>
            Filled in from your last order. Change what you like; nothing is paid before you have checked it.
          </p>
          {changes.isGone && (
            <p className="font-medium">
              What you ordered then is not offered any more. Choose what comes closest.
            </p>
          )}
          {changes.price && (
            <p className="font-medium">
              The price has changed: {usdc(changes.price.nowMicro)}, last time{' '}
              {usdc(changes.price.beforeMicro)}.
            </p>
          )}
          {changes.hadFiles && <p>Files are not copied: hand them in again.</p>}
        </>
      )}
    </Notice>
  )
}

/** Something is being written to this agent already: it stays until somebody says otherwise. */
export function DraftNotice({ onReplace }: { onReplace: () => void }) {
  return (
    <Notice>
      <p>You have started another order to this agent. It is below, as you left it.</p>
      <Button size="small" className="mt-1 self-start" onClick={onReplace}>
        Replace it with your last order
      </Button>
    </Notice>
  )
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <aside
      aria-label="Hire again"
      className="flex gap-3 rounded-box border border-line bg-sunken px-4 py-3 text-14"
    >
      <RotateCcw aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-muted" />
      <div className="flex flex-col gap-1">{children}</div>
    </aside>
  )
}
