import type { AgentCard, Message, SendMessageResult, Task } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import { LRUCache } from 'lru-cache'
import {
  createGuardedCall,
  excerptOf,
  type GuardedCall,
  type GuardedCallOptions,
} from '../../../platform/outbound/guarded-call.ts'
import { asFetch, CallFailed } from '../../../platform/outbound/guarded-fetch.ts'
import type { HostLanes } from '../../../platform/outbound/host-lanes.ts'
import { type CardSkill, cardSkillsOf } from './card-skills.ts'
import { cardUrlOf } from './card-url.ts'
import { faultOfRawParts } from './raw-parts.ts'

const TIMEOUT_MS = 30_000
/** A card, or a task with its artifacts. */
const MAX_RESPONSE_BYTES = 2_000_000
const MAX_EXCERPT_CHARACTERS = 200
const KNOWN_CARDS = 1_000
const MAX_INTERFACES = 8
const MAX_INTERFACE_CHARACTERS = 4_000
/** The most of a response that is shown to a person. */
const MAX_TEXT_CHARACTERS = 4_000
const CARD_TTL_MS = 5 * 60_000
/** How many messages to request with a task: several reports may have arrived since the last poll. */
const HISTORY_LENGTH = 50

/** What an agent is reached with. */
export interface A2aTarget {
  url: string
  sellerId: string
  token: string | undefined
}

/** LOST: the agent no longer has the task. */
export type A2aResult<T> =
  | { kind: 'OK'; value: T; status: number; text: string }
  | { kind: 'LOST'; status: number | null; error: string }
  | { kind: 'FAILURE'; status: number | null; error: string }

export interface A2aOptions extends Pick<GuardedCallOptions, 'allowsLocal' | 'resolve'> {
  /** The host of a card's interface may be another than the card's own: it is not crowded either. */
  hostLanes: HostLanes
  timeoutMs?: number | undefined
}

/**
 * Speaks A2A v1 to sellers' agents. Every request, including the one for the card, is a guarded call; the token goes to the
 * origin that the owner named and to no other.
 */
export function createA2aClient({ hostLanes, timeoutMs = TIMEOUT_MS, ...options }: A2aOptions) {
  const cards = new LRUCache<string, Interfaces>({ max: KNOWN_CARDS, ttl: CARD_TTL_MS })
  const guarded = createGuardedCall({
    ...options,
    timeoutMs,
    userAgent: 'agent-marketplace-a2a/1.0',
    readLimitBytes: () => MAX_RESPONSE_BYTES,
  })

  const callFor =
    ({ url, sellerId, token }: A2aTarget, seen: Seen): GuardedCall =>
    async (message) => {
      const own = new URL(url)
      const target = new URL(message.url)
      const leave =
        own.hostname === target.hostname ? () => undefined : hostLanes.enter(message.url, sellerId)
      if (!leave) return { kind: 'failure', why: 'The host has too many calls at the moment.' }
      const isOwn = own.origin === target.origin
      const headers =
        token === undefined || !isOwn
          ? message.headers
          : { ...message.headers, authorization: `Bearer ${token}` }
      const result = await guarded({ ...message, headers }).finally(leave)
      seen.status = result.kind === 'response' ? result.status : null
      seen.text = result.kind === 'response' ? result.text.slice(0, MAX_TEXT_CHARACTERS) : ''
      const fault = result.kind === 'response' ? faultOfRawParts(result.text) : undefined
      return fault === undefined ? result : { kind: 'failure', why: fault }
    }

  /** Reads the agent's card, and keeps where to speak to it. */
  async function readCard(target: A2aTarget, fetchImpl: typeof fetch) {
    const card = await new DefaultAgentCardResolver({ fetchImpl }).resolve(cardUrlOf(target.url), '')
    const interfaces = interfacesOf(card)
    if (interfaces.length === 0)
      throw new CallFailed('The agent card names no interface of A2A 1.0 over JSON-RPC or HTTP+JSON.')
    cards.set(keyOf(target), interfaces)
    return { interfaces, skills: cardSkillsOf(card) }
  }

  async function connect(target: A2aTarget, fetchImpl: typeof fetch, isFresh: boolean): Promise<Client> {
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
    })
    const known = isFresh ? undefined : cards.get(keyOf(target))
    return factory.createFromAgentCard(cardWith(known ?? (await readCard(target, fetchImpl)).interfaces))
  }

  const ask = <T>(
    target: A2aTarget,
    question: (client: Client) => Promise<T>,
    { isFresh = false } = {},
  ): Promise<A2aResult<T>> =>
    attempt(target, async (fetchImpl) => question(await connect(target, fetchImpl, isFresh)))

  async function attempt<T>(
    target: A2aTarget,
    work: (fetchImpl: typeof fetch) => Promise<T>,
  ): Promise<A2aResult<T>> {
    const seen: Seen = { status: null, text: '' }
    try {
      const value = await work(asFetch(callFor(target, seen)))
      return { kind: 'OK', value, status: seen.status ?? 200, text: seen.text }
    } catch (error) {
      // The agent may have moved: the next call reads its card again.
      cards.delete(keyOf(target))
      const kind = error instanceof TaskNotFoundError ? 'LOST' : 'FAILURE'
      return { kind, status: seen.status, error: explain(error) }
    }
  }

  return {
    /** Returns as soon as the agent has taken the message. */
    send: (
      target: A2aTarget,
      message: Message,
      options?: { isFresh: boolean },
    ): Promise<A2aResult<SendMessageResult>> =>
      ask(
        target,
        (client) =>
          client.sendMessage({
            tenant: '',
            message,
            metadata: undefined,
            configuration: {
              acceptedOutputModes: [],
              taskPushNotificationConfig: undefined,
              historyLength: HISTORY_LENGTH,
              returnImmediately: true,
            },
          }),
        options,
      ),

    getTask: (target: A2aTarget, id: string): Promise<A2aResult<Task>> =>
      ask(target, (client) => client.getTask({ tenant: '', id, historyLength: HISTORY_LENGTH })),

    cancelTask: (target: A2aTarget, id: string): Promise<A2aResult<Task>> =>
      ask(target, (client) => client.cancelTask({ tenant: '', id, metadata: undefined })),

    /** Reads the agent's card, and no kept one: it is there, and says what it can do. */
    probe: (target: A2aTarget): Promise<A2aResult<CardSkill[]>> =>
      attempt(target, async (fetchImpl) => (await readCard(target, fetchImpl)).skills),
  }
}

export type A2aClient = ReturnType<typeof createA2aClient>

/** An agent may show another card to those who have a token. */
const keyOf = ({ url, token = '' }: A2aTarget): string => `${token} ${url}`

/** Of the last response. */
interface Seen {
  status: number | null
  text: string
}

type Interfaces = AgentCard['supportedInterfaces']

const bindings: readonly string[] = ['JSONRPC', 'HTTP+JSON']

/** What is needed of a card to speak to its agent: a card may be large, and many are kept. */
const interfacesOf = ({ supportedInterfaces = [] }: AgentCard): Interfaces =>
  supportedInterfaces
    .filter(isSpoken)
    .slice(0, MAX_INTERFACES)
    .map(({ url, tenant, protocolBinding, protocolVersion }) => ({
      url,
      tenant,
      protocolBinding,
      protocolVersion,
    }))
    .filter((one) => JSON.stringify(one).length <= MAX_INTERFACE_CHARACTERS)

/** Nothing but messages, tasks and their end is requested, whatever else the agent can do. */
const cardWith = (supportedInterfaces: Interfaces): AgentCard => ({
  name: '',
  description: '',
  version: '',
  supportedInterfaces,
  provider: undefined,
  capabilities: { extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: [],
  defaultOutputModes: [],
  skills: [],
  signatures: [],
})

const isSpoken = ({ protocolBinding, protocolVersion }: AgentCard['supportedInterfaces'][number]): boolean =>
  bindings.includes(protocolBinding) && /^1(\.|$)/.test(protocolVersion)

const NOT_A2A = 'The agent’s response is not A2A.'

/** The reason, for the owner. The agent's own text is quoted on one line. */
function explain(error: unknown): string {
  if (error instanceof CallFailed) return error.message
  // A response that is not valid A2A makes parsing fail.
  if (error instanceof TypeError) return NOT_A2A
  const words = excerptOf(error instanceof Error ? error.message : '', MAX_EXCERPT_CHARACTERS)
  return words === '' ? NOT_A2A : `The agent returned an error: ${words}`
}
