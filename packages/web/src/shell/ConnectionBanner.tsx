import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { connection } from '../data/connection/connection.ts'

/** Said while the service cannot be reached. It lies above the page, so that nothing moves when it comes and goes. */
export function ConnectionBanner() {
  const isUp = useSyncExternalStore(connection.subscribe, connection.isUp)
  return (
    <div
      role="status"
      className="fixed inset-x-4 bottom-4 z-20 mx-auto w-fit max-w-[calc(100%-2rem)] print:hidden"
    >
      {!isUp && (
        <p className="flex items-center gap-3 rounded-box bg-ink px-4 py-3 text-14 text-ground shadow-lift">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          <span>
            <span className="font-medium">Reconnecting…</span> Nothing is lost. What you see may be out of
            date.
          </span>
        </p>
      )}
    </div>
  )
}
