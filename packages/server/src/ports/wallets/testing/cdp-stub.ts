import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createKeyAccount } from '@agent-marketplace/chain'
import { type CreatePolicyBody, CreatePolicyBodySchema, UpdatePolicyBodySchema } from '@coinbase/cdp-sdk'
import { type CdpCredentials, createStubAuth } from './cdp-stub-auth.ts'
import { isAllowed, type SigningRequest, type TypedDataBody } from './cdp-stub-policy.ts'

interface Account {
  name: string
  policyId: string | undefined
  key: ReturnType<typeof createKeyAccount>
}

interface Policy extends CreatePolicyBody {
  id: string
}

interface Reply {
  status: number
  body: unknown
}

/** Takes a request over instead of the stub; returns false to let the stub respond. */
export type Interception = (request: IncomingMessage, response: ServerResponse) => boolean

export interface CdpStub {
  url: string
  credentials: CdpCredentials
  accounts: ReadonlyMap<string, Account>
  policies: Map<string, Policy>
  /** `METHOD /path` of everything asked for. */
  requests: string[]
  intercept(interception: Interception | undefined): void
  close(): Promise<void>
}

const prefix = '/platform/v2'

/** CDP's REST interface as far as wallets use it: it checks both tokens, keeps accounts, holds them to their policies and really signs. */
export async function startCdpStub(): Promise<CdpStub> {
  const auth = createStubAuth()
  const accounts = new Map<string, Account>()
  const policies = new Map<string, Policy>()
  const responsesByKey = new Map<string, Promise<Reply>>()
  const requests: string[] = []
  let interception: Interception | undefined

  const describeAccount = (address: string, { name, policyId }: Account) => ({
    address,
    name,
    policies: policyId === undefined ? [] : [policyId],
  })

  const createAccount = ({ name, accountPolicy }: { name: string; accountPolicy?: string }): Reply => {
    if ([...accounts.values()].some((account) => account.name === name)) return refuse(409, 'already_exists')
    if (accountPolicy !== undefined && !policies.has(accountPolicy)) return refuse(400, 'invalid_request')
    const account = { name, policyId: accountPolicy, key: createKeyAccount(randomBytes(32)) }
    accounts.set(account.key.address.toLowerCase(), account)
    return { status: 201, body: describeAccount(account.key.address, account) }
  }

  const createPolicy = (body: unknown): Reply => {
    const parsed = CreatePolicyBodySchema.safeParse(body)
    if (!parsed.success) return refuse(400, 'invalid_request')
    const policy = { ...parsed.data, id: randomUUID() }
    policies.set(policy.id, policy)
    return { status: 201, body: policy }
  }

  const sign = async (account: Account, kind: string | undefined, body: unknown): Promise<Reply> => {
    const request = signingRequestOf(kind, body)
    const rules = policies.get(account.policyId ?? '')?.rules ?? []
    if (!isAllowed(rules, request)) return refuse(403, 'policy_violation')
    return { status: 200, body: { signature: await signWith(account.key, request) } }
  }

  const respond = async (method: string, path: string, body: unknown): Promise<Reply> => {
    const [, room, collection, key = '', action, kind] = path.slice(prefix.length).split('/')
    if (room === 'policy-engine') {
      if (method === 'POST') return createPolicy(body)
      const policy = policies.get(key)
      if (policy === undefined) return refuse(404, 'not_found')
      if (method === 'PUT') {
        const parsed = UpdatePolicyBodySchema.safeParse(body)
        if (!parsed.success) return refuse(400, 'invalid_request')
        Object.assign(policy, parsed.data)
      }
      return { status: 200, body: policy }
    }
    if (collection !== 'accounts') return refuse(404, 'not_found')
    if (method === 'POST' && key === '')
      return createAccount(body as { name: string; accountPolicy?: string })
    const account =
      key === 'by-name'
        ? [...accounts.values()].find(({ name }) => name === action)
        : accounts.get(key.toLowerCase())
    if (account === undefined) return refuse(404, 'not_found')
    if (action === 'sign') return await sign(account, kind, body)
    if (method === 'PUT') account.policyId = (body as { accountPolicy?: string }).accountPolicy
    return { status: 200, body: describeAccount(account.key.address, account) }
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url: path = '', headers } = request
    requests.push(`${method} ${path}`)
    if (interception?.(request, response)) return
    const body = method === 'GET' ? undefined : await json(request)
    const problem = await auth.findProblem({ method, host: headers.host ?? '', path, headers, body })
    if (problem !== undefined) return send(response, refuse(401, 'unauthorized', problem))
    const idempotencyKey = String(headers['x-idempotency-key'] ?? '')
    const result = responsesByKey.get(idempotencyKey) ?? respond(method, path, body)
    if (idempotencyKey !== '') responsesByKey.set(idempotencyKey, result)
    send(response, await result)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error) => send(response, refuse(500, 'internal_error', String(error))))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}/platform`,
    credentials: auth.credentials,
    accounts,
    policies,
    requests,
    intercept: (next) => {
      interception = next
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function signWith(key: Account['key'], request: SigningRequest) {
  if (request.operation === 'signEvmTypedData') return key.signTypedData(withNumbers(request.typedData))
  if (request.operation === 'signEvmMessage') return key.signMessage({ message: request.message })
  return key.sign?.({ hash: request.hash })
}

function signingRequestOf(kind: string | undefined, body: unknown): SigningRequest {
  if (kind === 'typed-data') return { operation: 'signEvmTypedData', typedData: body as TypedDataBody }
  if (kind === 'message')
    return { operation: 'signEvmMessage', message: (body as { message: string }).message }
  return { operation: 'signEvmHash', hash: (body as { hash: `0x${string}` }).hash }
}

/** JSON has no big numbers; the signature is over the numbers that the decimal strings mean. */
function withNumbers({ types, primaryType, message, ...rest }: TypedDataBody) {
  const numbers = (types[primaryType] ?? [])
    .filter(({ type }) => type.startsWith('uint'))
    .map(({ name }) => [name, BigInt(String(message[name]))])
  return {
    ...rest,
    types,
    primaryType,
    message: { ...message, ...Object.fromEntries(numbers) },
  } as Parameters<Account['key']['signTypedData']>[0]
}

function refuse(status: number, errorType: string, errorMessage = errorType): Reply {
  return { status, body: { errorType, errorMessage, correlationId: randomUUID() } }
}

function send(response: ServerResponse, { status, body }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
