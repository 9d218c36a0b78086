import { useState } from 'react'

/** Whether the owner has put something away, in this browser, for good. */
export function useDismissal(name: string, ownerId: string): [isDismissed: boolean, dismiss: () => void] {
  const key = `marketplace.dismissed.${name}.${ownerId}`
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(key) !== null)
  const dismiss = () => {
    localStorage.setItem(key, new Date().toISOString())
    setIsDismissed(true)
  }
  return [isDismissed, dismiss]
}
