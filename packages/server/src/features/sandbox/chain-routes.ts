import { AppError, listSandboxWallets, sandboxClock, sandboxFaucet } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../platform/clock/clock.ts'
import { type Route, route } from '../../platform/http/call.ts'
import { type RateLimiter, setRateHeaders } from '../../platform/http/limits/rate-limit.ts'
import type { SandboxChain } from '../../ports/chain/port.ts'

export interface SandboxChainDeps {
  chain: SandboxChain
  checksumAddress: (address: string) => string
  wallClock: Clock
  /** Moves time forward, and runs what falls due in between. */
  travel: (seconds: number) => Promise<void>
}

const RPC_BODY_LIMIT_BYTES = 1_000_000

/** Test wallets, test money and time travel. */
export function sandboxChainRoutes({ chain, checksumAddress, wallClock, travel }: SandboxChainDeps): Route[] {
  return [
    route(sandboxFaucet, async ({ body }) => {
      const address = checksumAddress(body.address)
      const { txHash, balanceMicro } = await chain.faucet({ address, amountMicro: BigInt(body.amount) })
      return { data: { address, amount: body.amount, balance: balanceMicro.toString(), txHash } }
    }),

    route(listSandboxWallets, async () => ({ data: { wallets: [...chain.testWallets] } })),

    route(sandboxClock, async ({ body }) => {
      await travel(body.advanceSeconds)
      const now = chain.now()
      const offsetSeconds = Math.round((now.getTime() - wallClock.now().getTime()) / 1000)
      return { data: { now: now.toISOString(), offsetSeconds } }
    }),
  ]
}

export interface SandboxRpcDeps {
  chain: SandboxChain
  limiter: RateLimiter
  rateLimitsEnforced: boolean
}

/** The page, a wallet and a few scripts on one machine need a tenth of it. */
const RPC_REQUESTS_PER_MINUTE = 3_000

/** The embedded chain's JSON-RPC, for wallets and tools. What it refuses, it refuses in JSON-RPC's own words. */
export function registerSandboxRpc(app: FastifyInstance, deps: SandboxRpcDeps): void {
  const { chain, limiter, rateLimitsEnforced } = deps
  app.post('/rpc', { bodyLimit: RPC_BODY_LIMIT_BYTES }, async (request, reply) => {
    const verdict = await limiter.hit(`rpc:${request.facts.clientAddress}`, RPC_REQUESTS_PER_MINUTE)
    setRateHeaders(reply, verdict)
    if (!verdict.allowed && rateLimitsEnforced) {
      throw new AppError('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds: verdict.retryAfterSeconds } })
    }
    const response = await chain.handleRpc(request.facts.rawBody?.toString('utf8') ?? '')
    if (response === undefined) return reply.code(204).send()
    return reply.type('application/json; charset=utf-8').send(response)
  })
}
