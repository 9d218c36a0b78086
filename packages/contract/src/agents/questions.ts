import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byBuyers, bySellers } from '../base/key-rules.ts'
import { NOTE_MAX_LENGTH } from '../base/lengths.ts'
import {
  cursorQuery,
  DateTime,
  Id,
  IdParams,
  limitQuery,
  NextCursor,
  nullableDateTime,
  nullableString,
  text,
} from '../base/shapes.ts'
import { WalletParams } from './agents.ts'

/** Of one owner, to all agents together. */
export const MAX_QUESTIONS_PER_DAY = 10

const questionWords = {
  description: 'Markdown. HTML in it is text.',
  examples: ['Do you read **CSV** exports, too?'],
}
const replyWords = { description: 'Markdown. HTML in it is text.', examples: ['Yes, up to 20 MB.'] }

export const AgentQuestion = Type.Object(
  {
    id: Id,
    text: Type.String(questionWords),
    own: Type.Boolean({ description: 'Whether the caller asked it.' }),
    createdAt: DateTime,
    reply: nullableString({
      description: 'What the seller wrote, in Markdown; null while the question is open.',
      examples: replyWords.examples,
    }),
    repliedAt: nullableDateTime('When the seller replied.'),
  },
  { title: 'AgentQuestion' },
)
export type AgentQuestion = Static<typeof AgentQuestion>

export const askQuestion = defineEndpoint({
  id: 'askQuestion',
  keys: byBuyers,
  method: 'POST',
  path: '/api/agents/{wallet}/questions',
  tag: 'Agents',
  summary: 'Ask the seller of an agent',
  description:
    'Before you hire. The agent must be listed and not be yours. The seller is notified and can reply once; then both are ' +
    'public, without your name or wallet. One open question to each agent, and at most ' +
    `${MAX_QUESTIONS_PER_DAY} questions in 24 hours. A question cannot be changed or deleted.`,
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  params: WalletParams,
  body: oneForm(Type.Object({ text: text(NOTE_MAX_LENGTH, questionWords) })),
  status: 201,
  response: oneForm(Type.Object({ data: AgentQuestion })),
  errors: ['NOT_FOUND', 'INVALID_STATE', 'CONFLICT'],
  examples: { body: { text: 'Do you read **CSV** exports, too?' } },
})

export const listAgentQuestions = defineEndpoint({
  id: 'listAgentQuestions',
  method: 'GET',
  path: '/api/agents/{wallet}/questions',
  tag: 'Agents',
  summary: 'List questions about an agent',
  description:
    'Newest first, those with a reply. Signed in, you also see your own open question, the seller sees all open ones, and ' +
    'so do admins.',
  access: 'public',
  rate: 'api',
  params: WalletParams,
  query: Type.Object({ limit: limitQuery(20), cursor: cursorQuery() }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(AgentQuestion), nextCursor: NextCursor })),
  errors: ['NOT_FOUND'],
})

export const replyToQuestion = defineEndpoint({
  id: 'replyToQuestion',
  keys: bySellers,
  method: 'POST',
  path: '/api/questions/{id}/reply',
  tag: 'Agents',
  summary: 'Reply to a question',
  description:
    'By the agent’s owner, once. Question and reply are public from then on, and the asker is notified.',
  access: 'owner',
  rate: 'api',
  refusesSuspended: true,
  params: IdParams,
  body: oneForm(Type.Object({ text: text(NOTE_MAX_LENGTH, replyWords) })),
  status: 200,
  response: oneForm(Type.Object({ data: AgentQuestion })),
  errors: ['NOT_FOUND', 'CONFLICT'],
  examples: { body: { text: 'Yes, up to 20 MB.' } },
})
