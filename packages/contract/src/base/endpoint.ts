import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './error-rules.ts'
import type { KeyRule } from './key-rules.ts'
import type { RateClass } from './limits.ts'

/** The interface is spoken in two shapes: form A (contract version 1.0.0) and form B (reference form v2). */
export type Form = 'a' | 'b'

export const formMediaTypes = {
  a: 'application/vnd.agent-marketplace.v1+json',
  b: 'application/vnd.agent-marketplace.v2+json',
} as const satisfies Record<Form, string>

/** One shape, the same in form A and form B. */
export interface OneForm<S extends TSchema = TSchema> {
  kind: 'one'
  schema: S
}

/** Two shapes of the same thing. A plain response carries both, merged. */
export interface TwoForms<A extends TSchema = TSchema, B extends TSchema = TSchema> {
  kind: 'two'
  a: A
  b: B
  /** In a body: what form A calls by one name and form B by another. A body with both must say the same by both. */
  renamed?: Readonly<Record<string, string>>
}

/** Two shapes that cannot be merged: the request's query decides which one is sent. */
export interface EitherForm<A extends TSchema = TSchema, B extends TSchema = TSchema> {
  kind: 'either'
  /** Which of the two a plain request gets. */
  rule: string
  a: A
  b: B
}

/** Not JSON: a stream, a file or a page. The handler writes it. */
export interface RawResponse {
  kind: 'raw'
  mediaType: string
}

export const oneForm = <S extends TSchema>(schema: S): OneForm<S> => ({ kind: 'one', schema })
export const twoForms = <A extends TSchema, B extends TSchema>(
  forms: Omit<TwoForms<A, B>, 'kind'>,
): TwoForms<A, B> => ({
  kind: 'two',
  ...forms,
})
export const eitherForm = <A extends TSchema, B extends TSchema>(
  forms: Omit<EitherForm<A, B>, 'kind'>,
): EitherForm<A, B> => ({
  kind: 'either',
  ...forms,
})
export const rawResponse = (mediaType: string): RawResponse => ({ kind: 'raw', mediaType })

/**
 * Who may call: anyone; any signed-in owner; a seller with kycStatus VERIFIED; such a seller who has also paid the
 * verification fee; an admin.
 */
export type Access = 'public' | 'owner' | 'verifiedSeller' | 'paidSeller' | 'admin'

export type BodyForms = OneForm | TwoForms
export type ResponseForms = OneForm | TwoForms | EitherForm | RawResponse

export interface Endpoint<
  Params extends TObject | undefined = TObject | undefined,
  Query extends TObject | undefined = TObject | undefined,
  Body extends BodyForms | undefined = BodyForms | undefined,
  Reply extends ResponseForms = ResponseForms,
  Who extends Access = Access,
> {
  /** Unique; the OpenAPI operationId and the name of the SDK's action. */
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{name}` for path parameters, as the spec writes it. */
  path: string
  tag: string
  summary: string
  description: string
  access: Who
  rate: RateClass
  /** What it asks of an API key. `read` covers a GET; with a rule, other scopes cover it too. */
  keys?: KeyRule
  /** A public one that takes a token of its own as the Bearer token: a call with a valid one is not counted for its address. */
  takesOwnToken?: boolean
  /** Pages of all sites may call it, for agents that run in a browser. Cookies count only from pages of this service. */
  openToPages?: boolean
  /** What callers without an account can use in its place; the 401 says it. */
  withoutAccount?: string
  /** Suspended owners read and finish what runs, but may not start this. */
  refusesSuspended?: boolean
  /** Only mounted in sandbox mode. */
  sandboxOnly?: boolean
  params?: Params
  query?: Query
  body?: Body
  /** The handler gets the bytes as they came, to check a signature over them; `body` is then left out. */
  rawBody?: boolean
  /** The body is a file of any type: the handler gets it as it comes, piece by piece; `body` is then left out. */
  streamsBody?: boolean
  response: Reply
  /** Other media types that the handler writes itself where Accept prefers one of them to JSON. */
  alsoSends?: readonly string[]
  /** Request headers of its own, for the docs; the handler reads and checks them. */
  headers?: TObject
  /** The success status, and others that carry the same shape (for example 202 while a settlement is pending). */
  status: number
  /** The response sets the session's cookie, or clears it. */
  setsCookie?: boolean
  otherStatuses?: readonly number[]
  /** What can go wrong beyond what every endpoint shares (see `sharedErrorsOf`). */
  errors: readonly ErrorCode[]
  /** A whole request as an example for the docs. */
  examples?: { body?: unknown; bodyB?: unknown }
}

/** Whatever changes something declares what it asks of API keys, so that no call that spends is forgotten. */
type KeysDeclared = { method: 'GET' } | { keys: KeyRule }

/** Declares an endpoint. It only fixes the types; the value is the declaration itself. */
export function defineEndpoint<
  const Params extends TObject | undefined = undefined,
  const Query extends TObject | undefined = undefined,
  const Body extends BodyForms | undefined = undefined,
  const Reply extends ResponseForms = ResponseForms,
  const Who extends Access = Access,
>(
  endpoint: Endpoint<Params, Query, Body, Reply, Who> & KeysDeclared,
): Endpoint<Params, Query, Body, Reply, Who> {
  return endpoint
}

/** The errors that follow from what an endpoint is, so that no declaration repeats them. */
export function sharedErrorsOf(endpoint: Endpoint): ErrorCode[] {
  const codes: ErrorCode[] = []
  const readsBody = endpoint.body !== undefined || endpoint.rawBody === true || endpoint.streamsBody === true
  const readsKey = endpoint.access !== 'public' && endpoint.method === 'POST'
  if (readsBody || readsKey || endpoint.query || endpoint.params) codes.push('VALIDATION_ERROR')
  if (readsBody) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE')
  if (endpoint.access !== 'public') codes.push('UNAUTHORIZED')
  if (endpoint.access !== 'public' || endpoint.sandboxOnly) codes.push('FORBIDDEN')
  if (endpoint.access === 'verifiedSeller' || endpoint.access === 'paidSeller') codes.push('KYC_REQUIRED')
  if (endpoint.keys?.money === 'counted') codes.push('BUDGET_EXCEEDED')
  if (readsKey) codes.push('IDEMPOTENCY_CONFLICT')
  codes.push('NOT_ACCEPTABLE')
  if (endpoint.rate !== 'none') codes.push('RATE_LIMIT_EXCEEDED')
  codes.push('MISDIRECTED_REQUEST', 'INTERNAL_ERROR', 'UNAVAILABLE')
  return codes
}

/** A body without any required field may be left out altogether: the handler then gets an empty object. */
export function allowsEmptyBody(endpoint: Endpoint): boolean {
  const { body } = endpoint
  if (!body) return true
  const schemas = body.kind === 'one' ? [body.schema] : [body.a, body.b]
  return schemas.some((schema) => !('required' in schema) && !('minProperties' in schema))
}

/** A body of two forms reaches the handler with the name of the form that it fits. */
export type BodyValue<Body> =
  Body extends OneForm<infer S>
    ? Static<S>
    : Body extends TwoForms<infer A, infer B>
      ? { form: 'a'; value: Static<A> } | { form: 'b'; value: Static<B> }
      : undefined

/** What a handler gives back: the value itself, or one value for each form. */
export type ResponseValue<Reply> =
  Reply extends OneForm<infer S>
    ? Static<S>
    : Reply extends TwoForms<infer A, infer B>
      ? { a: Static<A>; b: Static<B> }
      : Reply extends EitherForm<infer A, infer B>
        ? { form: 'a'; value: Static<A> } | { form: 'b'; value: Static<B> }
        : undefined

export type StaticOrUndefined<S> = S extends TSchema ? Static<S> : undefined
