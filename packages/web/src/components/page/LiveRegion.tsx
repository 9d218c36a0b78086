/** Says to readers what changed on its own: a countdown that ended, a result count. Empty text says nothing. */
export function LiveRegion({ text }: { text: string }) {
  return (
    <span role="status" aria-live="polite" className="sr-only">
      {text}
    </span>
  )
}
