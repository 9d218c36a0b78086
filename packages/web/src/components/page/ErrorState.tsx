import { lazy, Suspense } from 'react'
import { loadCode } from '../../data/connection/load-code.ts'
import type { ErrorDetailsProps } from './ErrorDetails.tsx'

/** The words for everything that can go wrong come when something does; who is signed in has them beforehand. */
export const loadErrorDetails = () => loadCode(() => import('./ErrorDetails.tsx'))

const ErrorDetails = lazy(loadErrorDetails)

export function ErrorState(props: ErrorDetailsProps) {
  return (
    <Suspense>
      <ErrorDetails {...props} />
    </Suspense>
  )
}
