import { Popover as Base } from '@base-ui/react/popover'
import { type ReactElement, type ReactNode, useState } from 'react'
import { cx } from '../../design/cx.ts'

interface PopoverProps {
  trigger: ReactElement
  /** Names it for readers; shown as a heading unless it is hidden. */
  title: string
  hidesTitle?: boolean
  align?: 'start' | 'center' | 'end'
  /** `none` for lists that reach the edge. */
  padding?: 'regular' | 'none'
  className?: string
  defaultOpen?: boolean
  children: ReactNode
}

/** More about something, beside it: a proof, a filter, the notifications. */
export function Popover({
  trigger,
  title,
  hidesTitle = false,
  align = 'start',
  padding = 'regular',
  className,
  defaultOpen = false,
  children,
}: PopoverProps) {
  const [isOpen, setIsOpen] = useState(defaultOpen)
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => setIsOpen(open)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={8} collisionPadding={8}>
          <Base.Popup
            // Following a link closes it.
            onClick={({ target }) => {
              if (target instanceof Element && target.closest('a')) setIsOpen(false)
            }}
            className={cx(
              'popup-motion max-w-(--available-width) rounded-box border border-line bg-surface text-14 text-ink shadow-lift outline-none',
              padding === 'regular' && 'p-4',
              className,
            )}
          >
            <Base.Title className={hidesTitle ? 'sr-only' : 'mb-2 text-14 font-semibold'}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
