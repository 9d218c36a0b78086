/** The first link of each row of the lists on the page, from top to bottom. */
function rowLinks(): HTMLElement[] {
  const rows = document.querySelectorAll('main :is(tbody tr, li, article)')
  const links = [...rows].flatMap((row) =>
    row.closest('nav') ? [] : (row.querySelector<HTMLElement>('a[href], summary') ?? []),
  )
  return [...new Set(links)].filter((link) => link.checkVisibility())
}

/** Puts the focus on the next or the previous row; Enter then opens it, as it opens every link. */
export function focusRow(step: 1 | -1): void {
  const links = rowLinks()
  const here = document.activeElement instanceof HTMLElement ? links.indexOf(document.activeElement) : -1
  const next = here === -1 ? (step === 1 ? 0 : links.length - 1) : here + step
  links[next]?.focus()
}
