import { randomUUID } from 'node:crypto'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { BodyAt, Reply } from '../reply.ts'

export interface Figures {
  acknowledged: number
  repeated: number
}

export interface SteadyClient {
  wallet: PrivateKeyAccount
  /** Of its session. */
  token: string
  get<Path extends string>(path: Path): Promise<Reply<BodyAt<'GET', Path>>>
  /** One logical call: the same key and body until there is a response that is no failure of the service. */
  post<Path extends string>(
    path: Path,
    body: object,
    headers?: Record<string, string>,
  ): Promise<Reply<BodyAt<'POST', Path>>>
  patch<Path extends string>(path: Path, body: object): Promise<Reply<BodyAt<'PATCH', Path>>>
}

interface SteadyOptions {
  wallet: PrivateKeyAccount
  figures: Figures
  /** One attempt; it may go to another process of the service each time. */
  send: (path: string, init: RequestInit) => Promise<Response>
  /** Resolves when the call may be repeated, and throws to give it up. Undefined: there was no response. */
  beforeRepeat: (failed: Response | undefined, attempts: number) => Promise<void>
  /** Sees every write that succeeded. */
  onAcknowledged?: (path: string, body: unknown) => void
}

const CALL_LIMIT_MS = 30_000

/** A client as a careful integrator writes one: whatever breaks, it repeats the same request, and never makes up a new one. */
export async function createSteadyClient({
  wallet,
  figures,
  send,
  beforeRepeat,
  onAcknowledged,
}: SteadyOptions): Promise<SteadyClient> {
  let authorization = ''

  async function attempt(
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ) {
    const response = await send(path, {
      method,
      headers: { 'content-type': 'application/json', authorization, ...headers },
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { response, body: text ? JSON.parse(text) : undefined }
  }

  async function steady<Method extends 'GET' | 'POST' | 'PATCH', Path extends string>(
    method: Method,
    path: Path,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply<BodyAt<Method, Path>>> {
    for (let attempts = 1; ; attempts += 1) {
      const reply = await attempt(method, path, body, headers).catch(() => undefined)
      if (reply && !isTemporary(reply.response)) {
        const { status, ok, headers } = reply.response
        if (ok && method !== 'GET') {
          figures.acknowledged += 1
          onAcknowledged?.(path, reply.body)
        }
        return { status, body: reply.body, headers }
      }
      figures.repeated += 1
      await beforeRepeat(reply?.response, attempts)
    }
  }

  const asked = await steady('POST', '/api/auth/request-nonce', { walletAddress: wallet.address })
  const { nonce, message } = asked.body.data
  const signed = { walletAddress: wallet.address, nonce, signature: await wallet.signMessage({ message }) }
  const session = await steady('POST', '/api/auth/verify-signature', signed)
  const { token } = session.body.data
  authorization = `Bearer ${token}`
  return {
    wallet,
    token,
    get: (path) => steady('GET', path),
    post: (path, body, headers = {}) =>
      steady('POST', path, body, { 'idempotency-key': randomUUID(), ...headers }),
    patch: (path, body) => steady('PATCH', path, body, { 'idempotency-key': randomUUID() }),
  }
}

const isTemporary = ({ status }: Response): boolean => status >= 500 || status === 429
