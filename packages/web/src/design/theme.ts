import { useSyncExternalStore } from 'react'

/** The same key that public/theme.js reads before the first paint. */
const STORAGE_KEY = 'marketplace.theme'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const CHANGED = 'marketplace:theme'

function readTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

function paint(): void {
  const theme = readTheme()
  const isDark =
    theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, theme)
  paint()
  window.dispatchEvent(new Event(CHANGED))
}

/** Follows the system while nothing else is chosen, and other tabs always. */
export function followTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint)
  window.addEventListener('storage', paint)
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange)
  window.addEventListener('storage', onChange)
  return () => {
    window.removeEventListener(CHANGED, onChange)
    window.removeEventListener('storage', onChange)
  }
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, readTheme)
}
