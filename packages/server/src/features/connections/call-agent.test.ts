import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, silence, startReceiver } from '../../testing/processes/start-receiver.ts'
import { createTestClock } from '../../testing/test-clock.ts'
import { testSealer } from '../../testing/test-sealer.ts'
import { createHttpCall } from './call-agent.ts'
import { sampleJob } from './message.ts'
import type { ConnectionRow } from './store.ts'

/** What an agent that means harm can make of a call: it ends, and it is a failure. */

let program: Receiver
beforeAll(async () => {
  program = await startReceiver()
})
afterAll(() => program.close())

const agentId = 'cagent'
const connection = (): ConnectionRow => ({
  agentId,
  sellerId: 'cseller',
  kind: 'HTTP',
  url: program.url,
  sealedSecret: testSealer.seal(`whsec_${Buffer.alloc(32).toString('base64')}`, agentId),
  sealedOldSecret: null,
  oldSecretUntil: null,
  sealedToken: null,
  lastCalledAt: null,
  lastResponseStatus: null,
  lastError: null,
  lastSeenAt: null,
  failedJobsInRow: 0,
  createdAt: new Date(0),
})
const message = sampleJob(
  { id: 'test_1', jobId: 'cjob' },
  { category: 'general', services: [] },
  new Date(0),
  null,
)

const callFor = async (timeoutMs?: number) => {
  const call = createHttpCall({
    allowsLocal: true,
    wallClock: createTestClock(),
    sealer: testSealer,
    timeoutMs,
  })
  const thread = { messageId: message.id, contextId: null, liveTaskId: null, referenceTaskIds: [] }
  return (await call(connection(), message, thread)).reply
}

test('an endless body is cut off', async () => {
  program.respondWith((_request, response) => {
    response.writeHead(200)
    const chunk = 'x'.repeat(64 * 1024)
    const pour = () => {
      if (!response.destroyed) response.write(chunk, () => setImmediate(pour))
    }
    pour()
  })
  expect(await callFor()).toMatchObject({
    kind: 'FAILURE',
    status: 200,
    error: expect.stringContaining('larger than'),
  })
})

test('a body that never ends, byte by byte or not at all, ends with the time limit', async () => {
  program.respondWith((_request, response) => void response.writeHead(200).write('{'))
  // Whether the head came in time or not, there is no result.
  expect(await callFor(500)).toMatchObject({ kind: 'FAILURE' })
  program.respondWith(silence)
  expect(await callFor(50)).toMatchObject({
    kind: 'FAILURE',
    status: null,
    error: 'No response within 0.05 s.',
  })
})
