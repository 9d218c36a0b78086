import type { FaultPoint, Faults } from '../../money/faults.ts'

/** Ends the engine at a point, the first time that it is reached. */
export function crashOnce(point: FaultPoint): Faults {
  let isDone = false
  return {
    reach(reached) {
      if (reached !== point || isDone) return
      isDone = true
      throw new Error(`crashed at ${point}`)
    },
  }
}
