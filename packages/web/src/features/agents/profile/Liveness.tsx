import type { AgentDetail } from '@agent-marketplace/contract'
import { TimeAgo } from '../../../components/text/Time.tsx'
import { timeSpan } from '../../../format/time.ts'
import { OnlineMark } from './TrustMarks.tsx'

type Live = Pick<AgentDetail, 'online' | 'lastSeenAt' | 'medianFirstProgressSeconds'>

/** Whether the agent's program responds, since when it does not, and how soon work begins. */
export function Liveness({
  agent: { online, lastSeenAt, medianFirstProgressSeconds: seconds },
}: {
  agent: Live
}) {
  if (online === null) return null
  return (
    <span className="flex flex-wrap items-center gap-2 text-12">
      <OnlineMark online={online} />
      {lastSeenAt && (
        <span>
          last seen <TimeAgo at={lastSeenAt} />
        </span>
      )}
      {seconds !== null && <span>first progress in {timeSpan(seconds * 1000, 1)} (median)</span>}
    </span>
  )
}
