import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AgentCard, type Message, type Part, Role, type Task, TaskState } from '@a2a-js/sdk'
import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import { type A2ARequestHandler, JsonRpcTransportHandler, ServerCallContext } from '@a2a-js/sdk/server'

export interface Told {
  state: keyof typeof TaskState
  /** What the agent says with it. */
  text?: string
  /** The id of that message. */
  messageId?: string
  parts?: Part[]
}

export const textPart = (value: string): Part => part({ $case: 'text', value })
export const dataPart = (value: unknown): Part => part({ $case: 'data', value })
export const rawPart = (filename: string, mediaType: string, value: Buffer): Part => ({
  ...part({ $case: 'raw', value }),
  filename,
  mediaType,
})
export const urlPart = (value: string, filename = ''): Part => ({
  ...part({ $case: 'url', value }),
  filename,
})
const part = (content: NonNullable<Part['content']>): Part => ({
  content,
  metadata: undefined,
  filename: '',
  mediaType: '',
})

/** An A2A agent on this machine, as the SDK's server speaks. Its tasks are what the test makes of them. */
export async function startA2aAgent() {
  const tasks = new Map<string, Task>()
  const received: Message[] = []
  const headers: IncomingMessage['headers'][] = []
  let interfaceUrl: string | undefined
  let skills: object[] = []
  let intercept: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  let onLook: (() => Promise<void>) | undefined
  let onSend: (message: Message) => Task | Message = (message) => take(message)

  /** A new task for the message, or the one that it is for. */
  function take(message: Message, told: Told = { state: 'TASK_STATE_SUBMITTED' }): Task {
    const id = message.taskId || `task-${tasks.size + 1}`
    const contextId = message.contextId || `context-${tasks.size + 1}`
    const known = tasks.get(id)
    tasks.set(id, {
      id,
      contextId,
      status: undefined,
      artifacts: [],
      metadata: undefined,
      history: known?.history ?? [],
    })
    return tell(id, told)
  }

  /** The task as it is from now on. */
  function tell(id: string, { state, text, messageId, parts }: Told): Task {
    const task = tasks.get(id)
    if (!task) throw new Error(`no task ${id}`)
    const message: Message | undefined =
      text === undefined
        ? undefined
        : {
            messageId: messageId ?? `said-${task.history.length + 1}`,
            contextId: task.contextId,
            taskId: id,
            role: Role.ROLE_AGENT,
            parts: [textPart(text)],
            metadata: undefined,
            extensions: [],
            referenceTaskIds: [],
          }
    const artifacts = parts
      ? [{ artifactId: 'a', name: 'Result', description: '', parts, metadata: undefined, extensions: [] }]
      : []
    const history = message ? [...task.history, message] : task.history
    const changed = {
      ...task,
      artifacts,
      history,
      status: { state: TaskState[state], message, timestamp: undefined },
    }
    tasks.set(id, changed)
    return changed
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    headers.push(request.headers)
    if (intercept?.(request, response)) return
    const json = (body: unknown) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'GET') return json(AgentCard.toJSON(card()))
    const context = new ServerCallContext({ requestedVersion: '1.0' })
    json(await rpc.handle(Buffer.concat(chunks).toString('utf8'), context))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  const card = (): AgentCard => ({
    ...AgentCard.fromJSON({
      name: 'Matcher',
      description: 'Matches transfers.',
      version: '1.0.0',
      supportedInterfaces: [
        { url: interfaceUrl ?? `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ],
      capabilities: { streaming: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills,
    }),
  })

  const handler: Partial<A2ARequestHandler> = {
    getAgentCard: async () => card(),
    async sendMessage({ message, configuration }) {
      if (!message) throw new Error('no message')
      if (configuration?.returnImmediately !== true) throw new Error('would wait')
      received.push(message)
      return onSend(message)
    },
    async getTask({ id }) {
      const task = tasks.get(id)
      await onLook?.()
      if (!task) throw new TaskNotFoundError(`Task not found: ${id}`)
      return task
    },
    cancelTask: async ({ id }) => tell(id, { state: 'TASK_STATE_CANCELED' }),
  }
  const rpc = new JsonRpcTransportHandler(handler as A2ARequestHandler)

  return {
    url,
    tasks,
    received,
    headers,
    take,
    tell,
    respondWith(next: (message: Message) => Task | Message) {
      onSend = next
    },
    /** Takes requests away from the agent; true says that it did. */
    interceptWith(next: typeof intercept) {
      intercept = next
    },
    /** Tasks are shown as they were when they were requested, once this is over. */
    lookAfter(next: typeof onLook) {
      onLook = next
    },
    nameInterface(next: string | undefined) {
      interfaceUrl = next
    },
    nameSkills(next: object[]) {
      skills = next
    },
    reset() {
      tasks.clear()
      received.length = 0
      headers.length = 0
      interfaceUrl = undefined
      skills = []
      intercept = undefined
      onLook = undefined
      onSend = (message) => take(message)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type A2aProgram = Awaited<ReturnType<typeof startA2aAgent>>
