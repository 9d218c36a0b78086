import { type Message, type Part, Role } from '@a2a-js/sdk'
import type { SentFile, SentJob } from '@agent-marketplace/contract'

/** Where a message belongs: to nothing yet, to what went before it, or to a task that waits for it. */
interface Place {
  messageId: string
  contextId: string | null
  /** The task that it continues. */
  taskId?: string
  /** Tasks of the same job that came before. */
  referenceTaskIds?: string[]
}

const partOf = (content: NonNullable<Part['content']>, mediaType: string): Part => ({
  content,
  metadata: undefined,
  filename: '',
  mediaType,
})

const text = (value: string): Part => partOf({ $case: 'text', value }, 'text/plain')
const data = (value: unknown): Part => partOf({ $case: 'data', value }, 'application/json')

const fileAt = ({ url, name, mediaType }: SentFile): Part => ({
  ...partOf({ $case: 'url', value: url }, mediaType),
  filename: name,
})

function messageIn(
  { messageId, contextId, taskId = '', referenceTaskIds = [] }: Place,
  parts: Part[],
): Message {
  return {
    messageId,
    contextId: contextId ?? '',
    taskId,
    role: Role.ROLE_USER,
    parts,
    metadata: undefined,
    extensions: [],
    referenceTaskIds,
  }
}

/** A job as text, the same as data, and the client's files. */
export const jobMessage = (place: Place, sent: SentJob): Message =>
  messageIn(place, [text(wordsOf(sent)), data(sent), ...sent.job.files.map(fileAt)])

function wordsOf({ job, lastError }: SentJob): string {
  return [
    job.title,
    job.description,
    job.changes === null ? '' : `Changes that the client asks for: ${job.changes}`,
    lastError === null ? '' : `What was wrong with the last attempt: ${lastError}`,
  ]
    .filter((line) => line !== '')
    .join('\n\n')
}

export interface Answer {
  text: string
  attachments: string[]
  /** Ids of the job's files. */
  files: string[]
}

/** The buyer's reply to the agent's question, with its files. */
export function replyMessage(place: Place, answers: readonly Answer[], files: readonly SentFile[]): Message {
  const attachments = answers.flatMap((answer) => answer.attachments)
  const said = answers.map((answer) => answer.text).filter((words) => words !== '')
  const words = said.length === 0 ? [] : [text(said.join('\n\n'))]
  const uris = attachments.length === 0 ? [] : [data({ attachments })]
  return messageIn(place, [...words, ...uris, ...files.map(fileAt)])
}
