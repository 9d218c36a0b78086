import type { JobDetail } from '@agent-marketplace/contract'
import type { Side } from '../sides.ts'

/** What every dialog of a move is given. */
export interface MoveProps {
  job: JobDetail
  /** On whose side the caller is. */
  sides: readonly Side[]
  onClose: () => void
}
