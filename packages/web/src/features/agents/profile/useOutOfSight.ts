import { type RefCallback, useEffect, useState } from 'react'

/** What lies below the page's own header cannot be seen either. */
const HEADER_PX = 104

/** Whether an element has left the window. False until that is known, and for one that is not there. */
export function useOutOfSight(): { ref: RefCallback<HTMLElement>; isOutOfSight: boolean } {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [isOutOfSight, setIsOutOfSight] = useState(false)
  useEffect(() => {
    if (!element) return
    const observer = new IntersectionObserver(
      (entries) => setIsOutOfSight(entries.at(-1)?.isIntersecting === false),
      { rootMargin: `-${HEADER_PX}px 0px 0px 0px` },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return { ref: setElement, isOutOfSight }
}
