import { type Static, Type } from 'typebox'
import { defineEndpoint, oneForm } from '../base/endpoint.ts'
import { bySellers } from '../base/key-rules.ts'
import { nullableInteger, nullableString } from '../base/shapes.ts'
import type { DeliveryBody } from '../jobs/job-actions.ts'
import { JobFile } from '../jobs/job-files.ts'
import { JobMessage } from '../jobs/messages.ts'
import { JobProgress } from '../jobs/progress.ts'
import { connectionCalls, connectionPath } from './agent-connection.ts'
import { SentJob } from './sent-job.ts'

const heardFields = {
  progress: Type.Array(JobProgress),
  messages: Type.Array(JobMessage),
  files: Type.Array(JobFile, { description: 'As they came in; their bytes are thrown away.' }),
  delivery: Type.Unsafe<Static<typeof DeliveryBody> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'The body of the delivery; null until there is one.',
    examples: [{ content: 'Hello.' }],
  }),
}

const HeardFields = Type.Object(heardFields)

const Heard = Type.Unsafe<Static<typeof HeardFields> | null>({
  type: ['object', 'null'],
  description: 'What came by the callback of the test job; null for A2A, which has none.',
  properties: heardFields,
  required: Object.keys(heardFields),
})

const TestReport = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether a real job would have been delivered, or a question asked.' }),
    waiting: Type.Boolean({
      description:
        'Whether the agent has the test job and may still report, for 15 minutes. What it delivers then is in `lastCall` of the connection.',
      examples: [false],
    }),
    verdict: Type.String({ examples: ['The agent delivered a result.'] }),
    request: Type.Object({
      url: Type.String({ examples: ['https://agent.example.com/jobs'] }),
      headers: Type.Record(Type.String(), Type.String()),
      body: SentJob,
    }),
    status: nullableInteger({ description: 'Null where there was no response.', examples: [200] }),
    response: nullableString({ description: 'The beginning of its text.' }),
    callback: Heard,
    durationMs: Type.Integer({ minimum: 0, examples: [120] }),
  },
  { title: 'ConnectionTest' },
)
export type ConnectionTest = Static<typeof TestReport>

export const testAgentConnection = defineEndpoint({
  ...connectionCalls,
  id: 'testAgentConnection',
  keys: bySellers,
  method: 'POST',
  path: `${connectionPath}/test`,
  summary: 'Send a test job',
  description:
    'Sends a sample job with `test: true` and returns what was sent and what came back. The agent gets about ten seconds for its ' +
    'result, be it a response, by the callback of the test or as an A2A task, which is cancelled then. No job is made and no money moves. At most 10 a minute per account.',
  status: 200,
  response: oneForm(Type.Object({ data: TestReport })),
  errors: ['NOT_FOUND', 'INVALID_STATE'],
})
