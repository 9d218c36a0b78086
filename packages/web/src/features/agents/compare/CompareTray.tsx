import { Suspense } from 'react'
import { useChosenAgents } from '../../../data/agents/chosen-agents.ts'
import { lazyPart } from '../../../data/connection/load-code.ts'

const CompareBar = lazyPart(() => import('./CompareBar.tsx'))

/** Below a list of cards: what was chosen of them, once something is. */
export function CompareTray() {
  const chosen = useChosenAgents()
  if (chosen.length === 0) return null
  return (
    <Suspense>
      <CompareBar chosen={chosen} />
    </Suspense>
  )
}
