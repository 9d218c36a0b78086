import { once } from 'node:events'
import { get, type IncomingHttpHeaders } from 'node:http'

export interface ReceivedEvent {
  id: string
  event: string
  data: { id: string; title: string; read: boolean }
}

export interface TestEventStream {
  status: number
  headers: IncomingHttpHeaders
  /** Waits for the next event. */
  next(): Promise<ReceivedEvent>
  /** Waits for the next comment line. */
  nextComment(): Promise<string>
  /** Resolves when the stream is over: true where the server has ended it, false where its connection was cut. */
  ended: Promise<boolean>
  /** Stops reading, as a client does that hangs. */
  pause(): void
  leave(): void
}

/** A client of server-sent events on a real connection, for tests. */
export async function openEventStream(
  url: string,
  options: { token: string; lastEventId?: string; headers?: Record<string, string> },
): Promise<TestEventStream> {
  const request = get(url, {
    agent: false,
    headers: {
      Authorization: `Bearer ${options.token}`,
      Accept: 'text/event-stream',
      ...options.headers,
      ...(options.lastEventId !== undefined && { 'Last-Event-ID': options.lastEventId }),
    },
  })
  const [response] = await once(request, 'response')
  const events = createMailbox<ReceivedEvent>()
  const comments = createMailbox<string>()
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      if (block.startsWith(':')) comments.put(block)
      else if (block.startsWith('id: ')) events.put(readEvent(block))
    }
  })
  // A connection that is cut is no failure of the test; `ended` reports it.
  response.on('error', () => undefined)
  return {
    status: response.statusCode,
    headers: response.headers,
    next: events.take,
    nextComment: comments.take,
    ended: new Promise((resolve) => response.once('close', () => resolve(response.complete))),
    pause: () => response.pause(),
    leave: () => request.destroy(),
  }
}

function readEvent(block: string): ReceivedEvent {
  const [, id = '', event = '', data = ''] = block.match(/^id: (.*)\nevent: (.*)\ndata: (.*)$/) ?? []
  return { id, event, data: JSON.parse(data) }
}

function createMailbox<T>(): { put(item: T): void; take(): Promise<T> } {
  const items: T[] = []
  const takers: ((item: T) => void)[] = []
  return {
    put(item) {
      const taker = takers.shift()
      if (taker) taker(item)
      else items.push(item)
    },
    take: () =>
      new Promise((resolve) => {
        const item = items.shift()
        if (item !== undefined) resolve(item)
        else takers.push(resolve)
      }),
  }
}
