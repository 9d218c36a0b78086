import { CloudOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { connection } from '../data/connection/connection.ts'

/** Said while the service cannot be reached, or takes no more for the moment. It lies above the page, so that nothing moves when it comes and goes. */
export function ConnectionBanner() {
  const isUp = useSyncExternalStore(connection.subscribe, connection.isUp)
  const isSlowed = useSyncExternalStore(connection.subscribe, connection.isSlowed)
  return (
    <div
      role="status"
      className="fixed inset-x-4 bottom-4 z-20 mx-auto w-fit max-w-[calc(100%-2rem)] print:hidden"
    >
      {(!isUp || isSlowed) && (
        <p className="flex items-center gap-3 rounded-box bg-ink px-4 py-3 text-14 text-ground shadow-lift">
          <CloudOff aria-hidden className="size-4 shrink-0" />
          <span>
            <span className="font-medium">{isUp ? 'Waiting…' : 'Reconnecting…'}</span>{' '}
            {isUp
              ? 'Many requests at once. The page continues within a minute.'
              : 'Nothing is lost. What you see may be out of date.'}
          </span>
        </p>
      )}
    </div>
  )
}
