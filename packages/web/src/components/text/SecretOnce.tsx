import { CopyButton } from '../buttons/CopyButton.tsx'

/** A secret that is shown this one time. */
export function SecretOnce({ secret, label }: { secret: string; label: string }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="text-14 text-ink-muted">
        Copy it now and keep it where your program finds it. It is not shown again.
      </p>
      <div className="flex items-center gap-2 rounded-box border border-edge bg-sunken p-3">
        <code className="min-w-0 flex-1 font-mono text-14 break-all">{secret}</code>
        <CopyButton text={secret} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
