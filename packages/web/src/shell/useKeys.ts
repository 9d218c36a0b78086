import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/** What follows a `g` within this time is a place to go. */
const CHORD_MS = 1_000

const places = { b: '/', j: '/jobs', s: '/sell', n: '/notifications' } as const

const isPlace = (key: string): key is keyof typeof places => Object.hasOwn(places, key)

/** Keys are letters while somebody types. */
function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}

function focusSearch(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement>('input[type="search"]')
  const visible = [...fields].find((field) => field.checkVisibility())
  visible?.focus()
  visible?.select()
  return visible !== undefined
}

/** `/` to search, `?` for this list, `g` and a letter to go somewhere. */
export function useKeys({ onShowKeys }: { onShowKeys: () => void }): void {
  const navigate = useNavigate()
  useEffect(() => {
    let chordStartedMs = Number.NEGATIVE_INFINITY
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      const isChord = event.timeStamp - chordStartedMs < CHORD_MS
      chordStartedMs = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      if (isChord && isPlace(event.key)) navigate({ to: places[event.key] })
      else if (event.key === '?') onShowKeys()
      else if (event.key !== '/') return
      else if (!focusSearch()) navigate({ to: '/' })
      event.preventDefault()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [navigate, onShowKeys])
}
