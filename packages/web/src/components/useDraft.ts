import { useEffect, useRef, useState } from 'react'

const PAUSE_MS = 200

/**
 * What the user is typing, passed on after a short pause. What changes from outside, as by the back button, is taken over;
 * the echo of one's own words is not, so that no letter is lost while it comes back.
 */
export function useDraft<Value>(
  value: Value,
  onChange: (value: Value) => void,
): [draft: Value, setDraft: (draft: Value) => void] {
  const [draft, setDraft] = useState(value)
  const reported = useRef(value)

  useEffect(() => {
    if (value === reported.current) return
    reported.current = value
    setDraft(value)
  }, [value])

  useEffect(() => {
    if (draft === reported.current) return
    const timer = setTimeout(() => {
      reported.current = draft
      onChange(draft)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft, onChange])

  return [draft, setDraft]
}
