import type {
  Access,
  BodyForms,
  BodyValue,
  Endpoint,
  ResponseForms,
  ResponseValue,
  StaticOrUndefined,
} from '@agent-marketplace/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { Transaction } from '../db/transaction.ts'
import type { Outcomes } from '../fast/group-commit.ts'
import type { WantedForm } from './forms/forms.ts'
import type { Principal } from './principal.ts'

/** What a handler gets: everything parsed, everyone known. */
export interface Call<E extends Endpoint> {
  principal: E extends Endpoint<infer _P, infer _Q, infer _B, infer _A, infer Who>
    ? Who extends 'public'
      ? undefined
      : Principal
    : never
  params: E extends Endpoint<infer P, infer _Q, infer _B, infer _A, infer _W> ? StaticOrUndefined<P> : never
  query: E extends Endpoint<infer _P, infer Q, infer _B, infer _A, infer _W> ? StaticOrUndefined<Q> : never
  body: E extends Endpoint<infer _P, infer _Q, infer B, infer _A, infer _W> ? BodyValue<B> : never
  /** The bytes as they came, for signatures over the raw body. */
  rawBody: Buffer | undefined
  /** The form that the caller asks for by Accept. */
  wanted: WantedForm
  requestId: string
  request: FastifyRequest
  reply: FastifyReply
  /** Writes a response as it would be sent to this caller, for handlers that keep it and send it again. */
  write(response: ResponseOf<E>): Written
  /**
   * One database transaction that also keeps the response under the caller's Idempotency-Key. A handler that creates or
   * moves something does all of it in here, and does it once.
   */
  transaction(work: (tx: Transaction) => Promise<Result<E>>): Promise<Result<E>>
  /**
   * The same, in one commit with the other calls that bring the same `work` at the same time: it gets the items of all
   * of them. For what is done often; measured in bench/jobs.bench.ts.
   */
  together<Item>(work: WorkTogether<E, Item>, item: Item): Promise<Result<E>>
}

export type WorkTogether<E extends Endpoint, Item> = (
  tx: Transaction,
  items: readonly Item[],
) => Promise<Outcomes<Result<E>>>

export type ResponseOf<E extends Endpoint> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer A, infer _W> ? ResponseValue<A> : never

/** A response with another status than the endpoint's usual one. */
export class WithStatus<Value> {
  readonly status: number
  readonly value: Value
  constructor(status: number, value: Value) {
    this.status = status
    this.value = value
  }
}

/** A response in the form that was requested. */
export class Written {
  readonly mediaType: string
  readonly body: string | Buffer
  constructor(mediaType: string, body: string | Buffer) {
    this.mediaType = mediaType
    this.body = body
  }
}

export type Result<E extends Endpoint> = ResponseOf<E> | WithStatus<ResponseOf<E>>

/** The same result with another value, for what is kept in another form than it is shown. */
export const withValue = <Value>(
  result: Value | WithStatus<Value>,
  change: (value: Value) => Value,
): Value | WithStatus<Value> =>
  result instanceof WithStatus ? new WithStatus(result.status, change(result.value)) : change(result)

export type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Result<E> | Written>

/** An endpoint with its handler. Features hand out lists of these; the app mounts them. */
export interface Route {
  endpoint: Endpoint
  handler: (call: Call<Endpoint>) => Promise<unknown>
}

export function route<
  P extends TObject | undefined,
  Q extends TObject | undefined,
  B extends BodyForms | undefined,
  A extends ResponseForms,
  W extends Access,
>(endpoint: Endpoint<P, Q, B, A, W>, handler: Handler<Endpoint<P, Q, B, A, W>>): Route {
  return { endpoint, handler } as Route
}
