import { type AgentDetail, AppError } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import { type RateLimiter, setRateHeaders } from '../../../platform/http/limits/rate-limit.ts'
import { cardPathOf, etagOf } from './card.ts'
import type { CardDrawing } from './card-drawing.ts'
import { cardOf } from './card-of.ts'

export interface CardDeps {
  agentOf: (walletAddress: string, mustShow: bigint | undefined) => Promise<AgentDetail>
  drawing: CardDrawing
  limiter: RateLimiter
  rateLimitsEnforced: boolean
}

/** New pictures for one address. Pictures that are kept do not count. */
const DRAWINGS_PER_MINUTE = 30

/** Feeds and chats keep a picture for days themselves; what is between them and us need not ask for each of them. */
const CACHE_CONTROL = 'public, max-age=600'

/** An agent as a picture, for where its link is shown. */
export function registerCard(app: FastifyInstance, deps: CardDeps): void {
  const { agentOf, drawing, limiter, rateLimitsEnforced } = deps

  app.get<{ Params: { wallet: string } }>(
    cardPathOf(':wallet'),
    { config: { openToPages: true } },
    async (request, reply) => {
      const agent = await agentOf(request.params.wallet, request.facts.mustShow)
      if (!agent.listing.visible) return reply.callNotFound()
      const card = cardOf(agent)
      const etag = etagOf(card)
      const headers = { 'Cache-Control': CACHE_CONTROL, ETag: etag }
      if (request.headers['if-none-match'] === etag) return reply.code(304).headers(headers).send()
      let picture = drawing.find(etag)
      if (!picture) {
        const verdict = await limiter.hit(`cards:${request.facts.clientAddress}`, DRAWINGS_PER_MINUTE)
        setRateHeaders(reply, verdict)
        if (!verdict.allowed && rateLimitsEnforced) {
          const { retryAfterSeconds } = verdict
          throw new AppError('RATE_LIMIT_EXCEEDED', { details: { retryAfterSeconds } })
        }
        picture = await drawing.draw(card)
      }
      return reply.type('image/png').headers(headers).send(picture)
    },
  )
}
