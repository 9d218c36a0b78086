import { pageHeading } from '../components/page/page-heading.ts'

/** What can be read, and so can take the focus: a heading, how many there are, or the line right beside it. */
const RESTS = ':is(h1, h2, [role=status])[tabindex="-1"], :scope > p[tabindex="-1"]'

/**
 * Where what has the focus goes away, the focus would fall to the document, and nobody would hear or see where they are.
 * It goes to what stays around it instead: the closest part that can have it, or the heading or line inside that can.
 */
export function keepFocus(): void {
  let around: Element[] = []
  const note = (): void => {
    around = document.activeElement === document.body ? [] : withParents(document.activeElement)
  }
  const observer = new MutationObserver(() => {
    const [focused, ...parents] = around
    if (!focused || focused.isConnected) return
    around = []
    // A popup that closes gives the focus back by itself, before the next picture.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) rest(parents)
    })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', note)
  // A click beside everything leaves the focus nowhere, and there it stays.
  document.addEventListener('click', note, { capture: true })
}

function rest(parents: readonly Element[]): void {
  for (const part of parents) {
    if (!part.isConnected) continue
    const place = part.matches('main, body') ? pageHeading() : takerOf(part)
    place?.focus({ preventScroll: true })
    if (document.activeElement !== document.body) return
  }
}

const takerOf = (part: Element): HTMLElement | null =>
  part.matches('[tabindex]') ? (part as HTMLElement) : part.querySelector<HTMLElement>(RESTS)

function withParents(element: Element | null): Element[] {
  return element ? [element, ...withParents(element.parentElement)] : []
}
