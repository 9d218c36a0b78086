import { cx } from '../../../design/cx.ts'

const tones: Record<string, string> = { GET: 'text-done', DELETE: 'text-disputed' }

/** The method of a call: what reads, what changes something and what removes it have colours of their own. */
export const Method = ({ method }: { method: string }) => (
  <span
    className={cx('font-mono text-12 font-semibold whitespace-nowrap', tones[method] ?? 'text-accent-ink')}
  >
    {method}
  </span>
)
