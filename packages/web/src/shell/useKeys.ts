import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { loadCode } from '../data/connection/load-code.ts'

/** What a key opens over the page. */
export type PopupName = 'keys' | 'palette'

/** What follows a `g` within this time is a place to go. */
const CHORD_MS = 1_000

const places = { b: '/', j: '/jobs', s: '/sell', d: '/developers', n: '/notifications' } as const

const isPlace = (key: string): key is keyof typeof places => Object.hasOwn(places, key)

/** Where keys are letters, or belong to what is open over the page. */
const OWN_KEYS = 'input, textarea, select, [contenteditable], [role=dialog], [role=menu]'

const takesKeys = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest(OWN_KEYS) !== null

function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('input[type="search"]')
  const visible = [...fields].find((field) => field.checkVisibility())
  visible?.focus()
  visible?.select()
  return visible !== undefined
}

/** Its code waits for the first of its keys. */
async function moveInList(step: 1 | -1): Promise<void> {
  const { focusRow } = await loadCode(() => import('./list-keys.ts'))
  focusRow(step)
}

/** `/` to search, `?` for this list, `g` and a letter to go somewhere, `j` and `k` in lists, Ctrl or ⌘ and K to go anywhere. */
export function useKeys(showPopup: (name: PopupName) => void): void {
  const navigate = useNavigate()
  useEffect(() => {
    let chordStartedMs = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      const isHeld = ctrlKey || metaKey || altKey
      if (takesKeys(event) || (isHeld && (altKey || key.toLowerCase() !== 'k'))) return
      const isChord = event.timeStamp - chordStartedMs < CHORD_MS
      chordStartedMs = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (isHeld) showPopup('palette')
      else if (isChord && isPlace(key)) navigate({ to: places[key] })
      else if (key === '?') showPopup('keys')
      else if (key === 'j' || key === 'k') void moveInList(key === 'j' ? 1 : -1)
      else if (key !== '/') return
      else if (!focusSearch()) navigate({ to: '/' })
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, showPopup])
}
