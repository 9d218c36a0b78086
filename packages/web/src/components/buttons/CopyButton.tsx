import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { copyText } from './copy-text.ts'

/** Copies a text and says so. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) return
    setIsCopied(true)
    setTimeout(() => setIsCopied(false), 2_000)
  }
  const Icon = isCopied ? Check : Copy
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={isCopied ? 'Copied' : label}
      title={isCopied ? 'Copied' : label}
      className="relative grid size-6 shrink-0 place-items-center rounded-[6px] text-ink-faint after:absolute after:-inset-2 hover:bg-sunken hover:text-ink"
    >
      <Icon aria-hidden className="size-3.5" />
    </button>
  )
}
