import { type Artifact, type Message, type Task, TaskState } from '@a2a-js/sdk'
import { type JobDetail, type JobMessage, type JobProgress, x402Rail } from '@agent-marketplace/contract'
import { dataPart, messageAbout, type TaskName, textPart, urlPart } from './parts.ts'
import { metadataOf, type SaidPayment } from './x402.ts'

export const terminalStates: ReadonlySet<TaskState> = new Set([
  TaskState.TASK_STATE_COMPLETED,
  TaskState.TASK_STATE_FAILED,
  TaskState.TASK_STATE_CANCELED,
  TaskState.TASK_STATE_REJECTED,
])

export const stateOf = ({ status }: Task): TaskState => status?.state ?? TaskState.TASK_STATE_UNSPECIFIED

/** Nothing more happens until its caller acts. */
export const isAtRest = (task: Task): boolean =>
  terminalStates.has(stateOf(task)) || stateOf(task) === TaskState.TASK_STATE_INPUT_REQUIRED

export interface JobFacts {
  job: JobDetail
  progress: readonly JobProgress[]
  messages: readonly JobMessage[]
  /** The settled payment, as x402 reports it. */
  receipt: unknown
  /** Where a file of the delivery opens. */
  fileUrl: (fileId: string) => string
}

export interface Asking {
  /** Of the status message: the same for the same question. */
  messageId: string
  text: string
  data?: unknown
  payment?: SaidPayment
}

/** A task that waits for its caller. */
export function taskAsking(
  name: TaskName,
  asking: Asking,
  { at, metadata }: { at: Date; metadata: Record<string, unknown> },
): Task {
  const { messageId, text, data, payment } = asking
  const parts = [textPart(text), ...(data === undefined ? [] : [dataPart(data)])]
  const message = messageAbout(name, { messageId, parts, metadata: payment && metadataOf(payment) })
  return taskOf(name, { state: TaskState.TASK_STATE_INPUT_REQUIRED, message, at: at.toISOString(), metadata })
}

export const taskWithdrawn = (name: TaskName, at: Date): Task =>
  taskOf(name, { state: TaskState.TASK_STATE_CANCELED, at: at.toISOString() })

/** A job as the task that its caller sees. */
export function taskOfJob(name: TaskName, facts: JobFacts, metadata: Record<string, unknown>): Task {
  const { job } = facts
  const history = historyOf(name, facts)
  const question = questionIn(facts)
  const state = stateOfJob(job, question !== undefined)
  const last = facts.progress.at(-1)
  const text =
    question?.text ?? (state === TaskState.TASK_STATE_WORKING && last ? wordsOf(last) : wordsFor(job))
  const messageId = question?.id ?? `${job.id}-${job.status.toLowerCase()}-${last?.id ?? '0'}`
  const payment: SaidPayment = facts.receipt
    ? { status: 'payment-completed', receipts: [facts.receipt] }
    : { status: 'payment-verified', receipts: [] }
  const isPaidBy402 = job.paymentMethod === x402Rail.method
  return taskOf(name, {
    state,
    message: messageAbout(name, {
      messageId,
      parts: [textPart(text)],
      metadata: isPaidBy402 ? metadataOf(payment) : undefined,
    }),
    at: changedAt(facts),
    artifacts: artifactsOf(facts),
    history,
    metadata,
  })
}

/** The same for a caller who has not shown that it is theirs. */
export const taskClosed = (name: TaskName, { job }: Pick<JobFacts, 'job'>, text: string): Task =>
  taskOf(name, {
    state: stateOfJob(job, false),
    message: messageAbout(name, { messageId: `${job.id}-closed`, parts: [textPart(text)] }),
    at: job.createdAt,
  })

function stateOfJob({ status }: Pick<JobDetail, 'status'>, isAsked: boolean): TaskState {
  if (status === 'IN_PROGRESS' && isAsked) return TaskState.TASK_STATE_INPUT_REQUIRED
  return states[status]
}

const states = {
  PENDING: TaskState.TASK_STATE_SUBMITTED,
  IN_PROGRESS: TaskState.TASK_STATE_WORKING,
  // Its client approves it, or asks for changes.
  UNDER_REVIEW: TaskState.TASK_STATE_INPUT_REQUIRED,
  DISPUTED: TaskState.TASK_STATE_WORKING,
  COMPLETED: TaskState.TASK_STATE_COMPLETED,
  CANCELLED: TaskState.TASK_STATE_CANCELED,
} as const

/** The statuses of jobs, or UNPAID where there is none, that a task in this state can have. */
export function statusesOf(state: TaskState): readonly string[] {
  const plain = Object.entries(states).flatMap(([status, shown]) => (shown === state ? status : []))
  // A seller asks while the job goes on, and a payment that failed is requested again.
  return state === TaskState.TASK_STATE_INPUT_REQUIRED
    ? [...plain, 'UNPAID', 'IN_PROGRESS', 'PENDING', 'CANCELLED']
    : plain
}

/** The seller's last message, where nobody has replied and no work was reported since. */
function questionIn({ job, messages, progress }: JobFacts): JobMessage | undefined {
  const last = messages.at(-1)
  if (job.status !== 'IN_PROGRESS' || last?.from !== 'SELLER') return undefined
  const reported = progress.at(-1)
  return reported && reported.createdAt > last.createdAt ? undefined : last
}

function wordsFor({ status, refund }: JobDetail): string {
  if (status === 'CANCELLED' && refund) return 'The order was cancelled, and the seller gave the money back.'
  return words[status]
}

const words = {
  PENDING: 'The payment is verified and not settled yet.',
  IN_PROGRESS: 'Paid. The agent is at work.',
  UNDER_REVIEW: 'Delivered. Approve it, or ask for changes, on the page of the job.',
  DISPUTED: 'In dispute.',
  COMPLETED: 'Delivered.',
  CANCELLED: 'The order was cancelled.',
} as const

const wordsOf = ({ step, percent, note }: JobProgress): string =>
  [percent === null ? step : `${step} (${percent} %)`, note].filter(Boolean).join(': ')

/** Progress reports and messages, in chronological order. */
function historyOf(name: TaskName, { progress, messages }: JobFacts): Message[] {
  const reported = progress.map((report) => ({
    at: report.createdAt,
    message: messageAbout(name, {
      messageId: report.id,
      parts: [textPart(wordsOf(report)), dataPart({ step: report.step, percent: report.percent })],
    }),
  }))
  const written = messages.map(({ id, from, text, createdAt }) => ({
    at: createdAt,
    message: messageAbout(name, { messageId: id, parts: [textPart(text)], isUser: from === 'CLIENT' }),
  }))
  return [...reported, ...written].sort((a, b) => (a.at < b.at ? -1 : 1)).map(({ message }) => message)
}

/** Every version of the delivery. */
function artifactsOf({ job, fileUrl }: JobFacts): Artifact[] {
  return job.deliveries.map(({ version, output, content, note, files, cid }) => {
    const result = output !== null ? [dataPart(output)] : content !== null ? [textPart(content)] : []
    const stored = files.map(({ id, name, mediaType }) => urlPart(fileUrl(id), name, mediaType))
    const parts = [...result, ...stored]
    return {
      artifactId: `delivery-${version}`,
      name: 'Delivery',
      description: note ?? '',
      parts: parts.length > 0 ? parts : [urlPart(`ipfs://${cid}`, '', '')],
      metadata: { cid },
      extensions: [],
    }
  })
}

function changedAt({ job, progress, messages }: JobFacts): string {
  const dated = [job, ...job.timeline, ...progress, ...messages]
  return (
    dated
      .map(({ createdAt }) => createdAt)
      .sort()
      .at(-1) ?? job.createdAt
  )
}

interface TaskFacts {
  state: TaskState
  message?: Message
  at: string
  artifacts?: Artifact[]
  history?: Message[]
  metadata?: Record<string, unknown> | undefined
}

const taskOf = ({ id, contextId }: TaskName, facts: TaskFacts): Task => ({
  id,
  contextId,
  status: { state: facts.state, message: facts.message, timestamp: facts.at },
  artifacts: facts.artifacts ?? [],
  history: facts.history ?? [],
  metadata: facts.metadata,
})

/** As much of the history as the caller requested: all of it by default. */
export function withHistory(task: Task, length: number | undefined): Task {
  if (length === undefined) return task
  return { ...task, history: length === 0 ? [] : task.history.slice(-length) }
}
