import { hash } from 'node:crypto'
import { AppError, IDEMPOTENCY_KEY_MAX_LENGTH, invalidField } from '@agent-marketplace/contract'
import type { Clock } from '../../clock/clock.ts'
import type { Database } from '../../db/database.ts'
import type { Transaction } from '../../db/transaction.ts'
import { attempt, type Outcomes } from '../../fast/group-commit.ts'
import {
  claimKeys,
  findResponses,
  type IdempotentRequest,
  type KeptResponse,
  keepResponses,
  nameOf,
  releaseKeys,
  removeExpiredKeys,
  type StoredResponse,
} from './idempotency-store.ts'

const keyPattern = /^[\x21-\x7e]+$/

export function readIdempotencyKey(headers: Record<string, unknown>): string | undefined {
  const key = headers['idempotency-key'] ?? headers['x-idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length > IDEMPOTENCY_KEY_MAX_LENGTH || !keyPattern.test(key)) {
    throw invalidField(
      'Idempotency-Key',
      `must be 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} visible ASCII characters`,
    )
  }
  return key
}

export function fingerprintOf(method: string, url: string, body: Buffer | undefined): string {
  const target = Buffer.from(`${method} ${withoutTrailingSlash(url)}\n`)
  return hash('sha256', body ? Buffer.concat([target, body]) : target, 'base64url')
}

/** With and without it a path leads to the same resource. */
const withoutTrailingSlash = (url: string): string => url.replace(/\/(?=\?|$)/, '')

export type Answered = StoredResponse & { replayed: boolean }

/** One of several calls that share a transaction. */
export interface Asked<Item> {
  /** Undefined where the call has no key. */
  request: IdempotentRequest | undefined
  item: Item
}

export interface Idempotency {
  /**
   * Runs the work in one transaction and keeps its response in that same transaction. A twin that arrives meanwhile waits
   * at the key's unique index and then gets the stored response; a crash leaves both work and response, or neither.
   */
  run(request: IdempotentRequest, work: (tx: Transaction) => Promise<StoredResponse>): Promise<Answered>
  /** The same for calls that share a transaction. No two of them may have the same key. */
  runTogether<Item>(
    tx: Transaction,
    asked: readonly Asked<Item>[],
    work: (items: Item[]) => Promise<Outcomes<StoredResponse>>,
  ): Promise<Outcomes<Answered>>
  removeExpired(signal: AbortSignal): Promise<void>
}

export function createIdempotency({ db, clock }: { db: Database; clock: Clock }): Idempotency {
  return {
    run: (request, work) =>
      db.transaction(async (tx) => {
        const claimed = await claimKeys(tx, [request], clock.now())
        if (claimed.size === 0) return replay(request, await findResponses(tx, [request]))
        const stored = await work(tx)
        await keepResponses(tx, [{ ...request, ...stored }], clock.now())
        return { ...stored, replayed: false }
      }),

    async runTogether(tx, asked, work) {
      const requests = asked.flatMap(({ request }) => request ?? [])
      if (requests.length === 0) return (await work(asked.map(({ item }) => item))).map(asFirst)
      const claimed = await claimKeys(tx, requests, clock.now())
      const isFresh = (request: IdempotentRequest | undefined) => !request || claimed.has(nameOf(request))
      const fresh = asked.filter(({ request }) => isFresh(request))
      const responses = await findResponses(
        tx,
        requests.filter((request) => !isFresh(request)),
      )
      const outcomes = await work(fresh.map(({ item }) => item))
      await keepOutcomes(tx, fresh, outcomes, clock.now())
      const outcomeOf = new Map(fresh.map((one, index) => [one, outcomes[index]]))
      return asked.map((one) => {
        const outcome = outcomeOf.get(one)
        return outcome ? asFirst(outcome) : attempt(() => replay(one.request, responses))
      })
    },

    removeExpired: (signal) => removeExpiredKeys(db, clock.now(), signal),
  }
}

const asFirst = (outcome: PromiseSettledResult<StoredResponse>): PromiseSettledResult<Answered> =>
  outcome.status === 'rejected'
    ? outcome
    : { status: 'fulfilled', value: { ...outcome.value, replayed: false } }

function replay(
  request: IdempotentRequest | undefined,
  responses: ReadonlyMap<string, KeptResponse>,
): Answered {
  const kept = request && responses.get(nameOf(request))
  if (!kept) throw new Error('a key that is taken has no response')
  if (kept.fingerprint !== request.fingerprint) throw new AppError('IDEMPOTENCY_CONFLICT')
  return { status: kept.status, response: kept.response, replayed: true }
}

async function keepOutcomes(
  tx: Transaction,
  asked: readonly Asked<unknown>[],
  outcomes: Outcomes<StoredResponse>,
  now: Date,
): Promise<void> {
  const responses: (IdempotentRequest & StoredResponse)[] = []
  const refused: IdempotentRequest[] = []
  for (const [index, { request }] of asked.entries()) {
    const outcome = outcomes[index]
    if (!request) continue
    if (outcome?.status === 'fulfilled') responses.push({ ...request, ...outcome.value })
    else refused.push(request)
  }
  if (responses.length > 0) await keepResponses(tx, responses, now)
  if (refused.length > 0) await releaseKeys(tx, refused)
}
