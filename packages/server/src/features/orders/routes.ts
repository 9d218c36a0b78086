import {
  describeService,
  downloadOrderFile,
  getOrder,
  type JobDetail,
  type Order,
  orderService,
} from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ResourceFacts } from '../../house/services/payable-service.ts'
import { type Route, route, WithStatus } from '../../platform/http/call.ts'
import { preferredType } from '../../platform/http/forms/accept.ts'
import { describe, describeInMarkdown, pageOf } from './describe.ts'
import type { Door } from './door.ts'
import type { createPlacing, PlacedOrder } from './placing.ts'
import { isOver, jobUrlOf, type OrderPlace, presentOrder } from './present.ts'
import { waitSecondsOf } from './rules.ts'
import type { Waiting } from './waiting.ts'

export interface OrdersRoutesDeps extends OrderPlace, Pick<ResourceFacts, 'offerFor'> {
  placing: ReturnType<typeof createPlacing>
  door: Door
  waiting: Waiting
  /** Adds the signed receipt to the response: the order was paid for and delivered. */
  showReceipt: (call: { request: FastifyRequest; reply: FastifyReply }, job: JobDetail) => Promise<void>
  readJob: (jobId: string, ownerId: string) => Promise<JobDetail>
  download: (
    request: FastifyRequest,
    reply: FastifyReply,
    viewer: { ownerId: string; isAdmin: boolean },
    file: { jobId: string; fileId: string },
  ) => Promise<void>
}

/** Seconds after which a caller should look again: soon, or now and then where the time is over. */
const LOOK_AGAIN_SECONDS = 5
const LOOK_AGAIN_LATE_SECONDS = 300

const described = ['application/json', 'text/markdown', 'text/html'] as const

export function ordersRoutes(deps: OrdersRoutesDeps): Route[] {
  const { placing, door, waiting, publicUrl } = deps

  /** With the result, or once the time is over with where it will be. */
  async function respond(
    reply: FastifyReply,
    { order: { jobId, ownerId }, isOpen }: PlacedOrder,
    wantedSeconds: number,
  ): Promise<{ data: Order } | WithStatus<{ data: Order }>> {
    const seconds = isOpen ? wantedSeconds : 0
    const read = () => deps.readJob(jobId, ownerId)
    const job = await whileOpen(reply, seconds, (gone) =>
      waiting.until({ jobId, ownerId, seconds, gone, read, isOver }),
    )
    reply.header('Cache-Control', 'no-store').header('Preference-Applied', `wait=${seconds}`)
    const { principal } = reply.request.facts
    // A token outlives a key and has no scopes, and the buyer's own key opens the order without one.
    const hasToken = principal?.scopes === undefined || principal.ownerId !== ownerId
    const response = { data: presentOrder(job, { isOpen, hasToken }, deps) }
    if (isOver(job) && isOpen) {
      if (job.delivery) await deps.showReceipt({ request: reply.request, reply }, job)
      return response
    }
    reply
      .header('Location', jobUrlOf(publicUrl, jobId))
      .header('Retry-After', job.overdue ? LOOK_AGAIN_LATE_SECONDS : LOOK_AGAIN_SECONDS)
    return new WithStatus(202, response)
  }

  return [
    route(orderService, async ({ params: { wallet, serviceId }, body, request, reply, requestId }) => {
      const placed = await placing.place(
        { request, reply, requestId, principal: request.facts.principal },
        { wallet, serviceId, input: body },
      )
      return respond(reply, placed, waitSecondsOf(request.headers.prefer))
    }),

    route(describeService, async ({ params, request, reply }) => {
      const service = await placing.serviceOf(params)
      const description = describe(service, deps)
      const type = preferredType(request.headers.accept, described, 'application/json')
      reply.header('Vary', 'Accept')
      if (type === 'text/html') reply.redirect(pageOf(publicUrl, service))
      if (type === 'text/markdown')
        reply.type('text/markdown; charset=utf-8').send(describeInMarkdown(description))
      return { data: description }
    }),

    route(getOrder, async ({ params: { jobId }, query: { token }, request, reply }) => {
      const order = await door({ jobId, token, request, reply })
      return respond(reply, { order, isOpen: true }, waitSecondsOf(request.headers.prefer, 0))
    }),

    route(downloadOrderFile, async ({ params: { jobId, fileId }, query: { token }, request, reply }) => {
      const { ownerId } = await door({ jobId, token, request, reply })
      await deps.download(request, reply, { ownerId, isAdmin: false }, { jobId, fileId })
      return undefined
    }),
  ]
}

/** Of a connection on which nothing is said, beyond the wait itself. */
const SILENT_SECONDS = 30

/** A call that waits is silent for longer than others may be, and ends with its connection. */
async function whileOpen<T>(
  { raw }: FastifyReply,
  seconds: number,
  work: (gone: AbortSignal) => Promise<T>,
): Promise<T> {
  const gone = new AbortController()
  const leave = () => gone.abort()
  raw.once('close', leave).setTimeout((seconds + SILENT_SECONDS) * 1000, () => raw.destroy())
  try {
    return await work(gone.signal)
  } finally {
    raw.off('close', leave)
  }
}
