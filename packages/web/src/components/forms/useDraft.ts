import { useEffect, useRef, useState } from 'react'

const SHORT_PAUSE_MS = 200
/** For words whose search is several calls, or a heavy one. */
export const LONG_PAUSE_MS = 500

/**
 * What the user is typing, passed on after a pause. What changes from outside, as by the back button, is taken over;
 * the echo of one's own words is not, so that no letter is lost while it comes back.
 */
export function useDraft<Value>(
  value: Value,
  onChange: (value: Value) => void,
  pauseMs = SHORT_PAUSE_MS,
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
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [draft, onChange, pauseMs])

  return [draft, setDraft]
}
