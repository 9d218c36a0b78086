import { Loading, Skeleton, TextSkeleton } from '../../../components/page/Skeleton.tsx'

/** The agent page before its agent: the same columns and the same heights. */
export function AgentSkeleton() {
  return (
    <Loading
      label="Loading the agent"
      className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr] lg:gap-8"
    >
      <div className="flex min-w-0 flex-col gap-6">
        <div className="flex flex-col gap-1">
          <span className="min-h-11" />
          <div className="flex items-start gap-4 sm:items-center">
            <Skeleton className="size-14" />
            <div className="flex flex-col gap-2">
              <Skeleton className="h-8 w-56" />
              <Skeleton className="h-5 w-28" />
            </div>
          </div>
        </div>
        <div className="flex flex-col gap-4">
          <TextSkeleton lines={2} />
          <Skeleton className="h-8 w-72 max-w-full" />
        </div>
      </div>
      <div className="flex flex-col gap-4 lg:col-start-2 lg:row-span-2 lg:row-start-1">
        <Skeleton className="h-96" />
        <Skeleton className="h-58" />
      </div>
      <div className="flex min-w-0 flex-col gap-8 lg:col-start-1 lg:row-start-2">
        <Skeleton className="h-44" />
        <Skeleton className="h-96" />
      </div>
    </Loading>
  )
}
