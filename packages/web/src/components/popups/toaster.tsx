import { type CSSProperties, StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { Toaster, toast } from 'sonner'
import { plainError } from '../../data/connection/errors.ts'
import { useTheme } from '../../design/theme.ts'
import { isRejectedByUser } from '../../session/wallet-error.ts'

/** The toasts' own variables, given our tokens. */
const colours = {
  '--normal-bg': 'var(--surface)',
  '--normal-text': 'var(--ink)',
  '--normal-border': 'var(--line)',
  '--border-radius': '10px',
  fontFamily: 'inherit',
} as CSSProperties

function Toasts() {
  return <Toaster theme={useTheme()} position="bottom-right" gap={8} style={colours} />
}

// A root of its own: this code comes with the first toast, and once loaded it can show one at once.
const place = document.body.appendChild(document.createElement('div'))
flushSync(() =>
  createRoot(place).render(
    <StrictMode>
      <Toasts />
    </StrictMode>,
  ),
)

/** What failed says what to do now, and often a request id to copy: that takes longer to read. */
const FAILURE_STAYS_MS = 10_000

const looks = { plain: toast, done: toast.success, failed: toast.error }

/** On a phone a dialog has its buttons where toasts stand: toasts shown while one is open come from the top. */
export function showToast(look: keyof typeof looks, title: string, description?: string): void {
  const isBelowDialog = place.hasAttribute('data-base-ui-inert')
  const isPhone = matchMedia('(width < 40rem)').matches
  looks[look](title, {
    ...(description !== undefined && { description }),
    ...(look === 'failed' && { duration: FAILURE_STAYS_MS }),
    ...(isBelowDialog && isPhone && { position: 'top-center' as const }),
  })
}

/** Declining to sign is a choice; every other error shows its message and the request id. */
export function showError(error: unknown): void {
  if (isRejectedByUser(error)) {
    showToast('plain', 'You did not sign. Nothing happened.')
    return
  }
  const { title, advice, requestId } = plainError(error)
  showToast('failed', title, requestId === undefined ? advice : `${advice} Request ${requestId}.`)
}
