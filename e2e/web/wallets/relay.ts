import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

export interface Relay {
  url: string
  /** The project id of each connection, in the order in which they came. */
  projects: string[]
  close(): Promise<void>
}

interface Message {
  topic: string
  message: string
  publishedAt: number
  tag: number
}

interface Params {
  topic: string
  message: string
  tag: number
  topics: string[]
  pairingTopic: string
  sessionTopic: string
  sessionProposal: string
  sessionProposalResponse: string
  sessionSettlementRequest: string
}

interface Call {
  id: number
  method?: string
  params?: Params
}

/** One end of a connection. Its client is the same after a reload, with another socket. */
interface End {
  client: string
  socket: WebSocket
}

/**
 * A relay of WalletConnect's protocol: it hands what is published under a topic to the others who follow it, and keeps it
 * while nobody else does. Each end gets a message once, and never its own.
 */
export async function startRelay(): Promise<Relay> {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const projects: string[] = []
  const followers = new Map<string, Set<End>>()
  const kept = new Map<string, { from: string; message: Message }[]>()
  let lastId = 0

  const deliver = ({ socket }: End, message: Message) => {
    lastId += 1
    const params = { id: message.topic, data: message }
    socket.send(
      JSON.stringify({ id: Date.now() * 1000 + lastId, jsonrpc: '2.0', method: 'irn_subscription', params }),
    )
  }
  /** What waits under the topic for this end. */
  const takeKept = (end: End, topic: string): Message[] => {
    const waiting = kept.get(topic) ?? []
    kept.set(
      topic,
      waiting.filter(({ from }) => from === end.client),
    )
    return waiting.filter(({ from }) => from !== end.client).map(({ message }) => message)
  }
  const follow = (end: End, topic: string): string => {
    followers.set(topic, (followers.get(topic) ?? new Set()).add(end))
    for (const message of takeKept(end, topic)) deliver(end, message)
    return topic
  }
  const publish = (from: End, topic: string, text: string, tag: number): boolean => {
    const message = { topic, message: text, publishedAt: Date.now(), tag }
    const others = [...(followers.get(topic) ?? [])].filter(({ client }) => client !== from.client)
    if (others.length === 0) kept.set(topic, [...(kept.get(topic) ?? []), { from: from.client, message }])
    for (const end of others) deliver(end, message)
    return true
  }
  const propose = (from: End, { pairingTopic, sessionProposal, tag }: Params): boolean => {
    follow(from, pairingTopic)
    return publish(from, pairingTopic, sessionProposal, tag)
  }
  /** The wallet follows the new topic from here on. The page asks for it when it has the key, and finds what waits there. */
  const approve = (from: End, params: Params): boolean => {
    const { pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest, tag } = params
    follow(from, sessionTopic)
    publish(from, pairingTopic, sessionProposalResponse, tag)
    return publish(from, sessionTopic, sessionSettlementRequest, tag)
  }
  const resultOf = (end: End, { method, params }: Call): unknown => {
    if (!params) return true
    switch (method) {
      case 'irn_publish':
        return publish(end, params.topic, params.message, params.tag)
      case 'irn_subscribe':
        return follow(end, params.topic)
      case 'irn_batchSubscribe':
        return params.topics.map((topic) => follow(end, topic))
      case 'irn_batchFetchMessages':
        return { messages: params.topics.flatMap((topic) => takeKept(end, topic)), hasMore: false }
      case 'wc_proposeSession':
        return propose(end, params)
      case 'wc_approveSession':
        return approve(end, params)
      default:
        return true
    }
  }

  sockets.on('connection', (socket, request) => {
    const asked = new URL(request.url ?? '/', 'ws://relay').searchParams
    projects.push(asked.get('projectId') ?? '')
    const end = { client: issuerOf(asked.get('auth') ?? ''), socket }
    socket.on('close', () => {
      for (const ends of followers.values()) ends.delete(end)
    })
    socket.on('message', (text) => {
      const call = JSON.parse(String(text)) as Call
      if (call.method === undefined) return
      socket.send(JSON.stringify({ id: call.id, jsonrpc: '2.0', result: resultOf(end, call) }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    projects,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Who made the token with which a client comes to the relay. */
function issuerOf(token: string): string {
  const [, payload = ''] = token.split('.')
  return JSON.parse(Buffer.from(payload, 'base64url').toString()).iss
}
