import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { byWholeAccount } from '../base/key-rules.ts'
import { NOTE_MAX_LENGTH } from '../base/lengths.ts'
import {
  cursorQuery,
  DateTime,
  FreeObject,
  IdParams,
  limitQuery,
  NextCursor,
  nullableDateTime,
  nullableInteger,
  nullableString,
  text,
} from '../base/shapes.ts'
import { adminCall } from './admin-call.ts'

/** What admins can do about background work: the queue's dead letters and the money engine. */

export const DeadLetter = Type.Object(
  {
    id: Type.String({
      description: 'The queue’s own identifier.',
      examples: ['0b6ff6f6-3f0c-4a52-9d3a-5d2d1a9f0e11'],
    }),
    task: Type.String({ description: 'What was to be done.', examples: ['webhooks.deliver'] }),
    payload: FreeObject,
    reason: nullableString({
      description: 'What the last try said.',
      examples: ['the receiver does not respond'],
    }),
    failedAt: DateTime,
  },
  { title: 'DeadLetter' },
)
export type DeadLetter = Static<typeof DeadLetter>

export const listDeadLetters = defineEndpoint({
  ...adminCall,
  id: 'listDeadLetters',
  method: 'GET',
  path: '/api/admin/dead-letters',
  summary: 'List dead letters',
  description:
    'Tasks that ran out of attempts and need manual attention, newest first. None of them is a payment.',
  query: Type.Object({ limit: limitQuery(50), cursor: cursorQuery() }),
  status: 200,
  response: oneForm(Type.Object({ data: Type.Array(DeadLetter), nextCursor: NextCursor })),
  errors: [],
})

export const retryDeadLetter = defineEndpoint({
  ...adminCall,
  id: 'retryDeadLetter',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/admin/dead-letters/{id}/retry',
  refusesSuspended: true,
  summary: 'Retry a dead letter',
  description:
    'Requeues the task with a full set of attempts. If it exhausts them again, it becomes a new dead letter. Returns 409 for a task type that this version of the service does not support.',
  params: IdParams,
  status: 200,
  response: oneForm(Type.Object({ data: DeadLetter })),
  errors: ['NOT_FOUND', 'CONFLICT'],
})

const BlockNumber = (description: string) => nullableInteger({ description, examples: [1204] })

export const EngineStatus = Type.Object(
  {
    halted: Type.Boolean({ description: 'While it is, nothing is sent and no event is taken in.' }),
    haltedReason: nullableString({ description: 'Why, if so.' }),
    isOperator: Type.Boolean({
      description: 'False while the escrow’s operator is not this service’s key: its transactions wait.',
      examples: [true],
    }),
    indexedBlock: BlockNumber('How far the chain was read; null before the first block.'),
    headBlock: BlockNumber('How far it goes; null when it does not respond.'),
    lagBlocks: BlockNumber('How many blocks are still to be read; null when that is not known.'),
    updatedAt: nullableDateTime('When it last moved.'),
    intents: Type.Object({
      pending: Type.Integer({ minimum: 0, description: 'Decided, and not sent yet.', examples: [1] }),
      submitted: Type.Integer({ minimum: 0, description: 'Sent, and without an outcome.', examples: [1] }),
      oldestSeconds: Type.Integer({
        minimum: 0,
        description: 'How long the oldest of them has been waiting.',
        examples: [4],
      }),
    }),
    wallets: Type.Object({
      followed: Type.Integer({
        minimum: 0,
        description: 'Wallets whose USDC is read with every block.',
        examples: [52],
      }),
      waiting: Type.Integer({ minimum: 0, description: 'Wallets still to be taken up.', examples: [0] }),
    }),
  },
  { title: 'EngineStatus' },
)
export type EngineStatus = Static<typeof EngineStatus>

export const getEngine = defineEndpoint({
  ...adminCall,
  id: 'getEngine',
  method: 'GET',
  path: '/api/admin/engine',
  summary: 'See how the money engine does',
  description: 'Whether it is halted and why, how far it has read the chain, and what waits.',
  status: 200,
  response: oneForm(Type.Object({ data: EngineStatus })),
  errors: [],
})

export const resumeEngine = defineEndpoint({
  ...adminCall,
  id: 'resumeEngine',
  keys: byWholeAccount,
  method: 'POST',
  path: '/api/admin/engine/resume',
  refusesSuspended: true,
  summary: 'Let a halted money engine go on',
  description:
    'Follows the chain as the node shows it now: what stood in replaced blocks is taken back, however many they are, and the same transactions are sent again. Check a second node first. 409 unless it is halted.',
  body: oneForm(
    Type.Object({
      reason: text(NOTE_MAX_LENGTH, {
        description: 'Kept in the audit log.',
        examples: ['Two other providers show the same chain.'],
      }),
    }),
  ),
  status: 200,
  response: oneForm(Type.Object({ data: EngineStatus })),
  errors: ['INVALID_STATE'],
  examples: { body: { reason: 'Two other providers show the same chain.' } },
})
