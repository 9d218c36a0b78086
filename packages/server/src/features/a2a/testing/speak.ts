import { type Message, type Part, Role, type SendMessageRequest, type Task } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Offer } from '../../../ports/payments/port.ts'
import { signPayment } from '../../../testing/sign-payment.ts'
import type { World } from '../../../testing/start-world.ts'
import { dataPart, textPart } from '../tasks/parts.ts'

export type Transport = 'JSONRPC' | 'HTTP+JSON'

export { dataPart, textPart }

/** The official client, as it finds an agent by its card. What cards name is served at `url` in tests. */
export async function connect(
  world: Pick<World, 'config'>,
  {
    url,
    card,
    transport = 'JSONRPC',
    headers = {},
    legacy = false,
  }: {
    url: string
    card: string
    transport?: Transport
    headers?: Record<string, string>
    legacy?: boolean
  },
): Promise<Client> {
  const fetchImpl: typeof fetch = (target, init) => {
    const there = String(target).replace(world.config.publicUrl.origin, url)
    return fetch(there, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } })
  }
  const legacyCompat = { enabled: legacy }
  const factory = new ClientFactory({
    transports: [
      new JsonRpcTransportFactory({ fetchImpl, legacyCompat }),
      new RestTransportFactory({ fetchImpl }),
    ],
    preferredTransports: [transport],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
  })
  if (!legacy) return factory.createFromUrl(`${world.config.publicUrl.origin}${card}`, '')
  // As a client of version 0.3 alone sees it.
  const { supportedInterfaces: _, ...old } = (await (await fetchImpl(`${url}${card}`)).json()) as {
    supportedInterfaces: unknown
  }
  return factory.createFromAgentCard(old as never)
}

let sent = 0

export function request(
  parts: Part[],
  { returnImmediately = false, ...more }: Partial<Message> & { returnImmediately?: boolean } = {},
): SendMessageRequest {
  sent += 1
  return {
    tenant: '',
    message: {
      messageId: `message-${sent}`,
      contextId: '',
      taskId: '',
      role: Role.ROLE_USER,
      parts,
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
      ...more,
    },
    configuration: {
      acceptedOutputModes: [],
      taskPushNotificationConfig: undefined,
      returnImmediately,
    },
    metadata: undefined,
  }
}

export const paymentOf = ({ status }: Task): Record<string, unknown> => status?.message?.metadata ?? {}

interface Required {
  accepts: Offer[]
  extensions?: Record<string, unknown>
}

/** The metadata that pays what a task asks for. */
export async function pay(
  world: Pick<World, 'chain' | 'clock'>,
  payer: PrivateKeyAccount,
  task: Task,
  { id, isBare = false }: { id?: string; isBare?: boolean } = {},
): Promise<Record<string, unknown>> {
  const { accepts, extensions } = paymentOf(task)['x402.payment.required'] as Required
  const [offer] = accepts
  if (!offer) throw new Error('nothing is offered')
  const { payment } = await signPayment(world, payer, offer)
  const { payer: from, payTo: to, amountMicro, validAfter, validBefore, nonce, signature } = payment
  const authorization = {
    from,
    to,
    value: String(amountMicro),
    validAfter: String(validAfter),
    validBefore: String(validBefore),
    nonce,
  }
  const named = id === undefined ? {} : { 'payment-identifier': { info: { required: false, id } } }
  return {
    'x402.payment.status': 'payment-submitted',
    'x402.payment.payload': {
      x402Version: 2,
      accepted: offer,
      payload: { signature, authorization },
      ...(!isBare && { extensions: { ...extensions, ...named } }),
    },
  }
}
