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

/** A relay of WalletConnect's protocol: it keeps what is published under a topic and hands it to those who follow it. */
export async function startRelay(): Promise<Relay> {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  const projects: string[] = []
  const followers = new Map<string, Set<WebSocket>>()
  const kept = new Map<string, Message[]>()
  let lastId = 0

  const deliver = (socket: WebSocket, topic: string, message: Message) => {
    lastId += 1
    const params = { id: topic, data: message }
    socket.send(
      JSON.stringify({ id: Date.now() * 1000 + lastId, jsonrpc: '2.0', method: 'irn_subscription', params }),
    )
  }
  const follow = (socket: WebSocket, topic: string): string => {
    const found = followers.get(topic) ?? new Set()
    followers.set(topic, found.add(socket))
    for (const message of kept.get(topic) ?? []) deliver(socket, topic, message)
    return topic
  }
  const publish = (from: WebSocket, topic: string, message: string, tag: number): boolean => {
    const published = { topic, message, publishedAt: Date.now(), tag }
    kept.set(topic, [...(kept.get(topic) ?? []), published])
    for (const socket of followers.get(topic) ?? []) if (socket !== from) deliver(socket, topic, published)
    return true
  }
  const propose = (from: WebSocket, { pairingTopic, sessionProposal, tag }: Params): boolean => {
    follow(from, pairingTopic)
    return publish(from, pairingTopic, sessionProposal, tag)
  }
  /** Both ends follow the new topic from here on, without having to ask for it. */
  const approve = (from: WebSocket, params: Params): boolean => {
    const { pairingTopic, sessionTopic, sessionProposalResponse, sessionSettlementRequest, tag } = params
    for (const socket of followers.get(pairingTopic) ?? []) follow(socket, sessionTopic)
    follow(from, sessionTopic)
    publish(from, pairingTopic, sessionProposalResponse, tag)
    return publish(from, sessionTopic, sessionSettlementRequest, tag)
  }
  const resultOf = (socket: WebSocket, { method, params }: Call): unknown => {
    if (!params) return true
    switch (method) {
      case 'irn_publish':
        return publish(socket, params.topic, params.message, params.tag)
      case 'irn_subscribe':
        return follow(socket, params.topic)
      case 'irn_batchSubscribe':
        return params.topics.map((topic) => follow(socket, topic))
      case 'irn_batchFetchMessages':
        return { messages: params.topics.flatMap((topic) => kept.get(topic) ?? []), hasMore: false }
      case 'wc_proposeSession':
        return propose(socket, params)
      case 'wc_approveSession':
        return approve(socket, params)
      default:
        return true
    }
  }

  sockets.on('connection', (socket, request) => {
    projects.push(new URL(request.url ?? '/', 'ws://relay').searchParams.get('projectId') ?? '')
    socket.on('message', (text) => {
      const call = JSON.parse(String(text)) as Call
      if (call.method === undefined) return
      socket.send(JSON.stringify({ id: call.id, jsonrpc: '2.0', result: resultOf(socket, call) }))
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
