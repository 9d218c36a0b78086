import { type ComponentProps, type ComponentType, type ReactElement, Suspense, useState } from 'react'

interface LazyPopupProps {
  /** A plain button: it is there with the first paint, and becomes the popup's trigger once its code is loaded. */
  button: (props: ComponentProps<'button'>) => ReactElement
  popup: ComponentType<{ trigger: ReactElement }>
  preload: () => void
}

/** A popup whose code is loaded when somebody reaches for it, and which opens as soon as it is there. */
export function LazyPopup({ button, popup: Popup, preload }: LazyPopupProps) {
  const [isWanted, setIsWanted] = useState(false)
  if (!isWanted) {
    return button({
      onClick: () => setIsWanted(true),
      onPointerEnter: preload,
      onFocus: preload,
      'aria-haspopup': 'dialog',
      'aria-expanded': false,
    })
  }
  return (
    <Suspense fallback={button({ 'aria-busy': true })}>
      <Popup trigger={button({})} />
    </Suspense>
  )
}
