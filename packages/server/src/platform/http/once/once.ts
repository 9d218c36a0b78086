import type { Endpoint } from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../db/database.ts'
import type { Transaction } from '../../db/transaction.ts'
import { createGroupCommit } from '../../fast/group-commit.ts'
import { WithStatus, type WorkTogether } from '../call.ts'
import {
  type Answered,
  type Asked,
  fingerprintOf,
  type Idempotency,
  readIdempotencyKey,
} from './idempotency.ts'
import { type IdempotentRequest, nameOf, type StoredResponse } from './idempotency-store.ts'

type Work = (tx: Transaction) => Promise<unknown>
type Group = (asked: Asked<unknown>) => Promise<Answered>

/** The transactions of one endpoint: with an Idempotency-Key each is done once, no matter who repeats it. */
export function createOnce(
  { db, idempotency }: { db: Database; idempotency: Idempotency },
  endpoint: Endpoint,
) {
  const groups = new Map<unknown, Group>()

  const storedOf = (result: unknown): StoredResponse =>
    result instanceof WithStatus
      ? { status: result.status, response: result.value }
      : { status: endpoint.status, response: result }

  function createGroup<Item>(work: WorkTogether<Endpoint, Item>): (asked: Asked<Item>) => Promise<Answered> {
    return createGroupCommit({
      db,
      keyOf: ({ request }) => request && nameOf(request),
      write: (tx, asked) =>
        idempotency.runTogether(tx, asked, async (items) =>
          (await work(tx, items)).map((outcome) =>
            outcome.status === 'rejected' ? outcome : { status: 'fulfilled', value: storedOf(outcome.value) },
          ),
        ),
    })
  }

  return {
    async alone(request: FastifyRequest, reply: FastifyReply, work: Work): Promise<never> {
      const keyed = readRequest(request)
      if (!keyed) return db.transaction(work) as Promise<never>
      return responseOf(reply, await idempotency.run(keyed, async (tx) => storedOf(await work(tx))))
    },

    async together<Item>(
      request: FastifyRequest,
      reply: FastifyReply,
      work: WorkTogether<Endpoint, Item>,
      item: Item,
    ): Promise<never> {
      const group = groups.get(work) ?? createGroup(work)
      groups.set(work, group as Group)
      return responseOf(reply, await group({ request: readRequest(request), item }))
    },
  }
}

function readRequest(request: FastifyRequest): IdempotentRequest | undefined {
  const { principal, rawBody } = request.facts
  const key = principal && readIdempotencyKey(request.headers)
  if (!principal || key === undefined) return undefined
  return { ownerId: principal.ownerId, key, fingerprint: fingerprintOf(request.method, request.url, rawBody) }
}

function responseOf(reply: FastifyReply, { status, response, replayed }: Answered): never {
  if (replayed) reply.header('Idempotent-Replayed', 'true')
  return new WithStatus(status, response) as never
}
