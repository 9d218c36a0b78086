import { type Artifact, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk'
import { DELIVERY_MAX_LENGTH, MESSAGE_MAX_LENGTH, NOTE_MAX_LENGTH } from '@agent-marketplace/contract'
import { excerptOf } from '../../../platform/outbound/guarded-call.ts'
import type { AgentTask, DeliveredWork } from '../reply.ts'
import { filesOf, type Result } from './read-files.ts'

const MAX_ID_LENGTH = 200
const MAX_REPORTS = 50
const MAX_EXCERPT_CHARACTERS = 200

/** What PostgreSQL can hold. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')

const idOf = (id: string): string => clean(id).slice(0, MAX_ID_LENGTH)

/** Ids that can be stored as they are, and sent back. */
export const hasUsableIds = ({ id, contextId }: Pick<AgentTask, 'id' | 'contextId'>): boolean =>
  [id, contextId].every((given) => given === idOf(given)) && id !== ''

export function readTask(task: Task, outputSchema: Record<string, unknown> | null): AgentTask {
  const { state = TaskState.TASK_STATE_UNSPECIFIED, message, timestamp } = task.status ?? {}
  const text = message ? textOf(message.parts) : ''
  const stage = stageOf(
    task,
    { state, text, id: message?.messageId || timestamp || 'question' },
    outputSchema,
  )
  // A question and the final message are not progress, though the history has them too.
  const spoken = stage.kind === 'RUNNING' ? message?.messageId : undefined
  const reports = [...task.history, ...(message ? [message] : [])]
    .filter(({ role, messageId }) => role === Role.ROLE_AGENT || messageId === spoken)
    .filter(({ messageId }) => messageId === spoken || messageId !== message?.messageId)
    .map((said) => ({ id: idOf(said.messageId), text: textOf(said.parts) }))
    .filter((said) => said.id !== '' && said.text !== '')
  const unique = new Map(reports.map((report) => [report.id, report]))
  return { id: task.id, contextId: task.contextId, reports: [...unique.values()].slice(-MAX_REPORTS), stage }
}

function stageOf(
  task: Task,
  { state, text, id }: { state: TaskState; text: string; id: string },
  outputSchema: Record<string, unknown> | null,
): AgentTask['stage'] {
  switch (state) {
    case TaskState.TASK_STATE_COMPLETED:
      return resultOf(task.artifacts, text, outputSchema)
    case TaskState.TASK_STATE_INPUT_REQUIRED: {
      const question = text === '' ? 'The agent needs more information to go on.' : text
      return { kind: 'ASKING', question: { id: idOf(id), text: cut(question, MESSAGE_MAX_LENGTH) } }
    }
    case TaskState.TASK_STATE_FAILED:
      return ended('The agent failed', text)
    case TaskState.TASK_STATE_REJECTED:
      return ended('The agent rejected the job', text)
    case TaskState.TASK_STATE_CANCELED:
      return ended('The agent cancelled its task', text)
    case TaskState.TASK_STATE_AUTH_REQUIRED:
      return ended('The agent asks for a sign-in', text)
    default:
      return { kind: 'RUNNING' }
  }
}

function ended(what: string, text: string): AgentTask['stage'] {
  const why = excerptOf(text, MAX_EXCERPT_CHARACTERS)
  return { kind: 'ENDED', error: why === '' ? `${what}.` : `${what}: ${why}` }
}

/** What an agent returns without a task is its result. */
export function readMessage(
  { parts }: Message,
  outputSchema: Record<string, unknown> | null,
): Result | undefined {
  const files = filesOf([{ name: '', parts }])
  const work = workOf(parts, outputSchema) ?? (files.length === 0 ? undefined : {})
  return work && { work, files }
}

function resultOf(
  artifacts: readonly Artifact[],
  lastWords: string,
  outputSchema: Record<string, unknown> | null,
): AgentTask['stage'] {
  const parts = artifacts.flatMap((artifact) => artifact.parts)
  const files = filesOf(artifacts)
  const work = workOf(parts, outputSchema) ?? wordsAlone(lastWords, files.length > 0)
  return work ? { kind: 'DONE', work, files } : ended('The agent completed its task without an artifact', '')
}

/** The final message is the work where there is nothing else, and a note where there are files. */
function wordsAlone(lastWords: string, hasFiles: boolean): DeliveredWork | undefined {
  if (lastWords === '') return hasFiles ? {} : undefined
  return hasFiles
    ? { note: cut(lastWords, NOTE_MAX_LENGTH).toWellFormed() }
    : { content: cut(lastWords, DELIVERY_MAX_LENGTH) }
}

/** Data where the service promises data, else text: other data is delivered as JSON text. */
function workOf(
  parts: readonly Part[],
  outputSchema: Record<string, unknown> | null,
): DeliveredWork | undefined {
  const text = textOf(parts)
  const data = parts.flatMap(({ content }) => (content?.$case === 'data' ? [content.value] : []))
  if (data.length > 0 && outputSchema) return { output: data.length === 1 ? data[0] : data }
  if (data.length > 0 && text === '') return { content: data.map(written).join('\n\n') }
  if (text === '') return undefined
  const parsed = outputSchema ? parseJson(text) : undefined
  return parsed === undefined ? { content: text } : { output: parsed }
}

function written(value: unknown): string {
  if (typeof value === 'string') return clean(value)
  try {
    return `\`\`\`json\n${clean(JSON.stringify(value, null, 2))}\n\`\`\``
  } catch {
    // Nested too deeply for the stack.
    return 'The result is nested too deeply to be written down.'
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const textOf = (parts: readonly Part[]): string =>
  clean(
    parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n\n'),
  ).trim()

const cut = (text: string, length: number): string => text.slice(0, length)
