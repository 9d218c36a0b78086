import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Card } from '../../../components/page/Card.tsx'
import { Skeleton } from '../../../components/page/Skeleton.tsx'
import { lazyPart } from '../../../data/connection/load-code.ts'
import { progressQuery } from '../../../data/jobs/room.ts'
import { useClient } from '../../../session/SessionProvider.tsx'

const ProgressLog = lazyPart(() => import('./ProgressLog.tsx'))

/** While the agent works, its reports are in sight. */
export function ProgressCard({ jobId }: { jobId: string }) {
  return (
    <Card className="flex flex-col gap-4">
      <h2 className="text-16 font-semibold">Progress</h2>
      <Suspense fallback={<Skeleton className="h-50 w-full" />}>
        <ProgressLog jobId={jobId} isLive />
      </Suspense>
    </Card>
  )
}

/** Afterwards they are there for those who open them, where there were any. */
export function PastProgress({ jobId }: { jobId: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const { data: reports, error } = useInfiniteQuery(progressQuery(useClient(), jobId))
  if (reports ? reports.length === 0 : !error) return null
  return (
    <Card padding="none">
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className="min-h-11 cursor-pointer px-4 py-3 text-16 font-semibold sm:px-6">
          Progress reports
        </summary>
        {isOpen && (
          <div className="flex flex-col gap-4 px-4 pb-4 sm:px-6 sm:pb-6">
            <Suspense fallback={<Skeleton className="h-50 w-full" />}>
              <ProgressLog jobId={jobId} isLive={false} />
            </Suspense>
          </div>
        )}
      </details>
    </Card>
  )
}
