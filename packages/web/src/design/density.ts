import { useSyncExternalStore } from 'react'

const STORAGE_KEY = 'marketplace.density'
const CHANGED = 'marketplace:density'

const readIsCompact = (): boolean => localStorage.getItem(STORAGE_KEY) === 'compact'

/** One choice for all tables, kept in this browser. */
export function setIsCompact(isCompact: boolean): void {
  if (isCompact) localStorage.setItem(STORAGE_KEY, 'compact')
  else localStorage.removeItem(STORAGE_KEY)
  window.dispatchEvent(new Event(CHANGED))
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange)
  window.addEventListener('storage', onChange)
  return () => {
    window.removeEventListener(CHANGED, onChange)
    window.removeEventListener('storage', onChange)
  }
}

export function useIsCompact(): boolean {
  return useSyncExternalStore(subscribe, readIsCompact)
}
