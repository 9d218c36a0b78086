import { randomUUID } from 'node:crypto'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { BodyAt, Reply } from '../reply.ts'

export interface Figures {
  acknowledged: number
  repeated: number
}

export interface SteadyClient {
  wallet: PrivateKeyAccount
  get<Path extends string>(path: Path): Promise<Reply<BodyAt<'GET', Path>>>
  /** One logical call: the same key and body until there is a response that is no failure of the service. */
  post<Path extends string>(
    path: Path,
    body: object,
    headers?: Record<string, string>,
  ): Promise<Reply<BodyAt<'POST', Path>>>
}

interface SteadyOptions {
  url: string
  wallet: PrivateKeyAccount
  figures: Figures
  /** Resolves when the service says that it is ready. */
  whenUp: () => Promise<void>
}

const CALL_LIMIT_MS = 30_000

/** A client as a careful integrator writes one: whatever breaks, it repeats the same request, and never makes up a new one. */
export async function createSteadyClient({
  url,
  wallet,
  figures,
  whenUp,
}: SteadyOptions): Promise<SteadyClient> {
  let authorization = ''

  async function attempt(
    method: string,
    path: string,
    body: object | undefined,
    headers: Record<string, string>,
  ) {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', authorization, ...headers },
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined, headers: response.headers }
  }

  async function steady<Method extends 'GET' | 'POST', Path extends string>(
    method: Method,
    path: Path,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply<BodyAt<Method, Path>>> {
    for (;;) {
      const reply = await attempt(method, path, body, headers).catch(() => undefined)
      if (reply && reply.status < 500) {
        if (reply.status < 300 && method === 'POST') figures.acknowledged += 1
        return reply
      }
      figures.repeated += 1
      await whenUp()
    }
  }

  const asked = await steady('POST', '/api/auth/request-nonce', { walletAddress: wallet.address })
  const { nonce, message } = asked.body.data
  const signed = { walletAddress: wallet.address, nonce, signature: await wallet.signMessage({ message }) }
  const session = await steady('POST', '/api/auth/verify-signature', signed)
  authorization = `Bearer ${session.body.data.token}`
  return {
    wallet,
    get: (path) => steady('GET', path),
    post: (path, body, headers = {}) =>
      steady('POST', path, body, { 'idempotency-key': randomUUID(), ...headers }),
  }
}
