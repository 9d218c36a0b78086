import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const GIVE_UP_MS = 10_000

export interface Request {
  path: string
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}

export interface Client {
  connect(): Promise<void>
  /** One at a time. Resolves to the status; 0 is a connection that broke, or a response that took longer than ten seconds. */
  send(request: Request): Promise<number>
  close(): void
}

/** Connected few at a time: more than the system keeps waiting for one server would have to knock again seconds later. */
export async function openClients(url: string, count: number): Promise<Client[]> {
  const AT_ONCE = 50
  const clients = Array.from({ length: count }, () => openClient(url))
  for (let first = 0; first < count; first += AT_ONCE)
    await Promise.all(clients.slice(first, first + AT_ONCE).map((client) => client.connect()))
  return clients
}

/**
 * One connection that is kept. A client of Node's own costs as much processor time as the service needs for a read, and
 * both share the machine: this one reads of a response what is counted, its status and its end.
 */
function openClient(url: string): Client {
  const { hostname, port, host } = new URL(url)
  let socket: Socket | undefined
  let received: Buffer = Buffer.alloc(0)
  let conclude: ((status: number) => void) | undefined

  const finish = (status: number): void => {
    received = Buffer.alloc(0)
    const concluded = conclude
    conclude = undefined
    concluded?.(status)
  }
  const lose = (lost: Socket): void => {
    if (socket !== lost) return
    socket = undefined
    lost.destroy()
    finish(0)
  }
  const open = (): Socket => {
    const opened = connect({ host: hostname, port: Number(port), noDelay: true })
    opened.setTimeout(GIVE_UP_MS)
    for (const event of ['error', 'close', 'timeout']) opened.on(event, () => lose(opened))
    opened.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      const status = statusOf(received)
      if (status === UNREADABLE) lose(opened)
      else if (status !== undefined) finish(status)
    })
    return opened
  }

  return {
    async connect() {
      socket ??= open()
      if (socket.connecting) await once(socket, 'connect')
    },
    send(request) {
      socket ??= open()
      const done = new Promise<number>((resolve) => {
        conclude = resolve
      })
      socket.write(textOf(host, request))
      return done
    },
    close() {
      const open = socket
      socket = undefined
      open?.destroy()
    },
  }
}

function textOf(host: string, { path, method = 'GET', headers = {}, body = '' }: Request): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}${length}\r\n${body}`
}

/** A response without content-length, whose end this client does not look for: it counts as a connection that broke. */
const UNREADABLE = 0

/** Undefined until the whole response is there. */
function statusOf(received: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) return UNREADABLE
  if (received.length < headEnd + 4 + Number(length)) return undefined
  return Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length))
}
