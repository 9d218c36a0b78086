import { type RefObject, useEffect, useRef, useState } from 'react'

/** Below the page's own header. */
const HEADER_PX = 80
const GAP_PX = 16

/**
 * Where a sticky column sticks: below the header when it fits the window. A taller one scrolls with the page until its end
 * is in sight, so that nothing of it is out of reach.
 */
export function useStickyTop(): { ref: RefObject<HTMLElement | null>; topPx: number } {
  const ref = useRef<HTMLElement>(null)
  const [topPx, setTopPx] = useState(HEADER_PX)
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = () => setTopPx(Math.min(HEADER_PX, window.innerHeight - element.offsetHeight - GAP_PX))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [])
  return { ref, topPx }
}
