import { Rows3, Rows4 } from 'lucide-react'
import { setIsCompact, useIsCompact } from '../../design/density.ts'
import { Button } from '../buttons/Button.tsx'

/** Lower rows in all tables of the site. On a phone rows are cards, which have no such thing. */
export function DensitySwitch() {
  const isCompact = useIsCompact()
  const Icon = isCompact ? Rows4 : Rows3
  return (
    <Button
      look="quiet"
      aria-pressed={isCompact}
      className="aria-pressed:bg-sunken max-sm:hidden"
      onClick={() => setIsCompact(!isCompact)}
    >
      <Icon aria-hidden className="size-4" />
      Compact
    </Button>
  )
}
