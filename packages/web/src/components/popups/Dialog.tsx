import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactElement, type ReactNode, useRef } from 'react'
import { pageHeading } from '../page/page-heading.ts'

interface DialogProps {
  title: string
  description?: ReactNode
  /** The button that opens it; leave it out when `isOpen` is driven from outside. */
  trigger?: ReactElement
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  /** Buttons, the main one last. */
  actions?: ReactNode
  children?: ReactNode
}

/**
 * A question or a small form over the page. Focus goes to its first field, and back to where it was in the end, or to the
 * page's heading where that is gone. Escape and a click beside it close it.
 */
export function Dialog({
  title,
  description,
  trigger,
  isOpen,
  onOpenChange,
  actions,
  children,
}: DialogProps) {
  const popup = useRef<HTMLDivElement>(null)
  const opener = useRef<Element>(null)
  const firstField = (how: string) => {
    opener.current = document.activeElement
    // A finger would have the keyboard cover what is to be read first.
    return how === 'touch' || (popup.current?.querySelector<HTMLElement>('input, select, textarea') ?? true)
  }
  const wayBack = () => {
    if (opener.current?.isConnected) return true
    // What was chosen in a menu is gone with the menu: its button is the next best.
    const labelId = opener.current?.closest('[role=menu]')?.getAttribute('aria-labelledby')
    return (labelId && document.getElementById(labelId)) || pageHeading()
  }
  return (
    <Base.Root
      {...(isOpen === undefined ? {} : { open: isOpen })}
      onOpenChange={(open, details) => {
        if (isOfDoubleClick(details)) details.cancel()
        else onOpenChange?.(open)
      }}
    >
      {trigger && <Base.Trigger render={trigger} />}
      <Base.Portal>
        <Base.Backdrop className="popup-motion fixed inset-0 bg-scrim" />
        <Base.Popup
          ref={popup}
          initialFocus={firstField}
          finalFocus={wayBack}
          className="popup-motion fixed inset-x-4 bottom-4 mx-auto max-h-[calc(100dvh-2rem)] max-w-lg overflow-y-auto rounded-box border border-line bg-surface p-6 text-ink shadow-lift sm:top-1/2 sm:bottom-auto sm:-translate-y-1/2"
        >
          <div className="flex items-start justify-between gap-4">
            <Base.Title className="text-20 font-semibold">{title}</Base.Title>
            <Base.Close
              aria-label="Close"
              className="-mt-2 -mr-2 grid size-11 shrink-0 place-items-center rounded-box text-ink-muted hover:bg-sunken"
            >
              <X aria-hidden className="size-5" />
            </Base.Close>
          </div>
          {description && (
            <Base.Description render={<div />} className="mt-1 text-ink-muted">
              {description}
            </Base.Description>
          )}
          {children && <div className="mt-4">{children}</div>}
          {actions && <div className="mt-6 flex flex-wrap justify-end gap-2">{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** A double click on what opens a dialog ends beside it. That is no wish to close it. */
const isOfDoubleClick = ({ reason, event }: Base.Root.ChangeEventDetails): boolean =>
  reason === 'outside-press' && event instanceof MouseEvent && event.detail > 1
