import { Card } from '../../components/page/Card.tsx'
import { Loading, Skeleton, TextSkeleton } from '../../components/page/Skeleton.tsx'

/** The job page's shape while the job loads. */
export function JobSkeleton() {
  return (
    <Loading label="Loading the job">
      <div className="flex flex-col gap-3">
        <Skeleton className="h-5 w-24" />
        <div className="flex items-start gap-4 sm:items-center">
          <Skeleton className="size-12" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-9 w-96 max-w-full" />
            <Skeleton className="h-5 w-64 max-w-full" />
          </div>
        </div>
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-8">
        <Card className="flex flex-col gap-4 lg:order-last">
          <Skeleton className="h-7 w-40" />
          <TextSkeleton lines={2} />
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-40 w-full" />
        </Card>
        <div className="flex flex-col gap-6">
          <Card>
            <TextSkeleton lines={5} />
          </Card>
          <Card>
            <TextSkeleton lines={8} />
          </Card>
        </div>
      </div>
    </Loading>
  )
}
