import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

/** A few words about a control, on hover and focus. What must be known never stands in a tooltip alone. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactElement }) {
  return (
    <Base.Root>
      <Base.Trigger render={children} delay={300} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} collisionPadding={8}>
          <Base.Popup className="popup-motion max-w-72 rounded-box bg-ink px-3 py-2 text-12 text-ground shadow-lift">
            {text}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
