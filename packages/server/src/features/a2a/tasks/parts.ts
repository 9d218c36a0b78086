import { type Message, type Part, Role } from '@a2a-js/sdk'

const part = (content: NonNullable<Part['content']>, more: Partial<Part> = {}): Part => ({
  content,
  metadata: undefined,
  filename: '',
  mediaType: '',
  ...more,
})

export const textPart = (value: string): Part => part({ $case: 'text', value })
export const dataPart = (value: unknown): Part =>
  part({ $case: 'data', value }, { mediaType: 'application/json' })
export const urlPart = (value: string, filename: string, mediaType: string): Part =>
  part({ $case: 'url', value }, { filename, mediaType })

export interface TaskName {
  id: string
  contextId: string
}

/** A message about a task; by the agent unless it says otherwise. */
export function messageAbout(
  { id, contextId }: TaskName,
  { messageId, parts, metadata, isUser = false }: MessageFacts,
): Message {
  return {
    messageId,
    contextId,
    taskId: id,
    role: isUser ? Role.ROLE_USER : Role.ROLE_AGENT,
    parts,
    metadata,
    extensions: [],
    referenceTaskIds: [],
  }
}

interface MessageFacts {
  messageId: string
  parts: Part[]
  metadata?: Record<string, unknown> | undefined
  isUser?: boolean
}
