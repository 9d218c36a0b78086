import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { AgentCard, type Message, type Part, Role, Task, TaskState } from '@a2a-js/sdk'
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  JsonRpcTransportHandler,
  ServerCallContext,
  type TaskStore,
} from '@a2a-js/sdk/server'

/**
 * An agent of somebody who has never heard of this marketplace: the server of @a2a-js/sdk, with its tasks in a file. It
 * reports, asks a question and delivers text and three files. Killed in between, it goes on from its file when it is started again.
 */

const { PORT = '', TASKS_FILE = '' } = process.env
const origin = `http://127.0.0.1:${PORT}`

const readTasks = (): Record<string, unknown> =>
  existsSync(TASKS_FILE) ? JSON.parse(readFileSync(TASKS_FILE, 'utf8')) : {}

const tasks: TaskStore = {
  async load(id) {
    const stored = readTasks()[id]
    return stored === undefined ? undefined : Task.fromJSON(stored)
  },
  async save(task) {
    writeFileSync(`${TASKS_FILE}.new`, JSON.stringify({ ...readTasks(), [task.id]: Task.toJSON(task) }))
    renameSync(`${TASKS_FILE}.new`, TASKS_FILE)
  },
  list: async () => ({ tasks: [], nextPageToken: '', pageSize: 0, totalSize: 0 }),
}

const partOf = (content: Part['content'], filename: string, mediaType: string): Part => ({
  content,
  metadata: undefined,
  filename,
  mediaType,
})
const part = (value: string): Part => partOf({ $case: 'text', value }, '', 'text/plain')

/** Every byte there is, so that nothing on the way can take it for text. */
const picture = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

/** Two with their bytes, and one that is to be fetched. */
const filesAbout = (sea: string): Part[] => [
  partOf({ $case: 'raw', value: Buffer.from(`# ${sea}\n`) }, 'Two lines – final.md', 'text/markdown'),
  partOf({ $case: 'raw', value: picture }, 'sea.bin', ''),
  partOf({ $case: 'url', value: `${origin}/files/depths.csv` }, '', 'text/csv'),
]

const textOf = ({ parts }: Message): string =>
  parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join(' ')

const executor: AgentExecutor = {
  async execute({ taskId, contextId, userMessage, task }, bus) {
    const said = (text: string): Message => ({
      messageId: crypto.randomUUID(),
      contextId,
      taskId,
      role: Role.ROLE_AGENT,
      parts: [part(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    })
    const tell = (state: TaskState, text?: string) =>
      bus.publish(
        AgentEvent.statusUpdate({
          taskId,
          contextId,
          status: {
            state,
            message: text === undefined ? undefined : said(text),
            timestamp: new Date().toISOString(),
          },
          metadata: undefined,
        }),
      )
    const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: undefined }
    bus.publish(
      AgentEvent.task(
        task ?? { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined },
      ),
    )
    if (!task) {
      tell(TaskState.TASK_STATE_WORKING, 'Reading the order')
      tell(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which sea?')
    } else {
      tell(TaskState.TASK_STATE_WORKING, 'Writing')
      const text = `Two lines about the ${textOf(userMessage)}.`
      bus.publish(
        AgentEvent.artifactUpdate({
          taskId,
          contextId,
          artifact: {
            artifactId: 'lines',
            name: 'Two lines',
            description: '',
            parts: [part(text), ...filesAbout(textOf(userMessage))],
            metadata: undefined,
            extensions: [],
          },
          append: false,
          lastChunk: true,
          metadata: undefined,
        }),
      )
      tell(TaskState.TASK_STATE_COMPLETED, 'Done.')
    }
    bus.finished()
  },
  cancelTask: async () => undefined,
}

const card = AgentCard.fromJSON({
  name: 'Poet',
  description: 'Writes two lines.',
  version: '1.0.0',
  supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: false },
  defaultInputModes: ['text/plain', 'application/json'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 'write', name: 'Write', description: 'Writes.', tags: ['writing'] }],
})
const rpc = new JsonRpcTransportHandler(new DefaultRequestHandler(card, tasks, executor))

createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const json = (body: unknown) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  if (request.url === '/.well-known/agent-card.json') return json(AgentCard.toJSON(card))
  if (request.url === '/files/depths.csv')
    return void response.writeHead(200).end('sea,metres\nNorth Sea,95\n')
  const context = new ServerCallContext({ requestedVersion: '1.0' })
  json(await rpc.handle(Buffer.concat(chunks).toString('utf8'), context))
}).listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`Waiting for tasks on port ${PORT}\n`))
