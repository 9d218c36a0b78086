const LAST_RELOAD_KEY = 'marketplace.reloaded-at'
const ONCE_PER_MS = 10_000

/**
 * A page that was opened before a new release asks for code that is no longer there. A reload brings the new release; a
 * second failure right after it has another reason and is shown as what it is.
 */
export function reloadWhenOutdated(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const lastMs = Number(sessionStorage.getItem(LAST_RELOAD_KEY) ?? 0)
    if (Date.now() - lastMs < ONCE_PER_MS) return
    sessionStorage.setItem(LAST_RELOAD_KEY, String(Date.now()))
    event.preventDefault()
    location.reload()
  })
}
