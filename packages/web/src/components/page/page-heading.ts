/** Takes the focus where a page is new, or what had it is gone: the heading, or the page itself until it has one. */
export function pageHeading(): HTMLElement | null {
  const main = document.querySelector('main')
  return main?.querySelector<HTMLElement>('h1[tabindex]') ?? main
}

export const focusHeading = (): void => pageHeading()?.focus({ preventScroll: true })
