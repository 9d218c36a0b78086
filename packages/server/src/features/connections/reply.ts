import type { DeliveryBody, JobFile, JobMessage, JobProgress } from '@agent-marketplace/contract'
import type { Static } from 'typebox'

export type DeliveredWork = Static<typeof DeliveryBody>

/** A file that came with a result: its bytes, or where they are. It becomes a file of the job when the work is delivered. */
export interface AgentFile {
  name: string
  mediaType: string
  from: { bytes: Uint8Array } | { url: string }
}

/** What the agent's response means. */
export type Reply =
  | { kind: 'RESULT'; status: number; work: DeliveredWork; files: AgentFile[] }
  | { kind: 'WORKING'; status: number }
  /** It has made a task of the job, which is polled from now on. */
  | { kind: 'TASK'; status: number; task: AgentTask }
  | { kind: 'FAILURE'; status: number | null; error: string }

export interface Said {
  id: string
  text: string
}

/** An agent's task, as far as it matters to a job. */
export interface AgentTask {
  id: string
  contextId: string
  /** What the agent has reported, oldest first. */
  reports: Said[]
  stage:
    | { kind: 'RUNNING' }
    | { kind: 'ASKING'; question: Said }
    | { kind: 'DONE'; work: DeliveredWork; files: AgentFile[] }
    | { kind: 'ENDED'; error: string }
}

/** What the callback of a test job has received. */
export interface Heard {
  progress: JobProgress[]
  messages: JobMessage[]
  files: JobFile[]
  work: DeliveredWork | null
  /** Why the last delivery was not accepted. */
  rejection: string | null
}

export const nothingHeard: Heard = { progress: [], messages: [], files: [], work: null, rejection: null }
