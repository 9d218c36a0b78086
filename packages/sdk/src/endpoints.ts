import type * as contract from '@agent-marketplace/contract'
import type {
  BodyValue,
  EitherForm,
  Endpoint,
  OneForm,
  RawResponse,
  ResponseValue,
  StaticOrUndefined,
  TwoForms,
} from '@agent-marketplace/contract'

/** All of the client's types are made here, from the contract. */
type Contract = typeof contract

/** Every endpoint of the service, by the name that it has in the API reference. */
export type EndpointId = {
  [Name in keyof Contract]: Contract[Name] extends Endpoint ? Name : never
}[keyof Contract]

type EndpointOf<Id extends EndpointId> = Contract[Id]

export interface Route {
  method: Endpoint['method']
  path: string
  isPublic: boolean
  isRaw: boolean
}

type PartOf<Id extends EndpointId, Name extends 'params' | 'query' | 'body' | 'response'> = Exclude<
  EndpointOf<Id>[Name],
  undefined
>

/** What is sent: a body of two forms may be written in either. */
export type BodyOf<Id extends EndpointId> = BodyOfForms<PartOf<Id, 'body'>>
type BodyOfForms<Forms> = Forms extends TwoForms ? BodyValue<Forms>['value'] : BodyValue<Forms>

export type ParamsOf<Id extends EndpointId> = StaticOrUndefined<PartOf<Id, 'params'>>
export type QueryOf<Id extends EndpointId> = StaticOrUndefined<PartOf<Id, 'query'>>

/** What comes back: a plain response carries both forms in one body. What is not JSON comes as the response itself. */
export type ResponseOf<Id extends EndpointId> = ResponseOfForms<PartOf<Id, 'response'>>
type ResponseOfForms<Forms> = Forms extends OneForm
  ? ResponseValue<Forms>
  : Forms extends TwoForms
    ? Both<ResponseValue<Forms>>
    : Forms extends EitherForm
      ? ResponseValue<Forms>['value']
      : Forms extends RawResponse
        ? Response
        : never
type Both<Forms> = Forms extends { a: infer A; b: infer B } ? A & B : never

/** What most responses hold under `data`. */
export type DataOf<Id extends EndpointId> = ResponseOf<Id> extends { data: infer Data } ? Data : never

export interface CallOptions {
  /** Ends the call, and the waiting between its attempts. */
  signal?: AbortSignal | undefined
}

export interface MutationOptions extends CallOptions {
  /** The same key with the same request is done once. Without it every call gets a key of its own, kept across its retries. */
  idempotencyKey?: string | undefined
}

/** A part that has no required field may be left out. */
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { [Key in Name]?: Value }
    : { [Key in Name]: Value }

export type Request<Id extends EndpointId> = Part<'params', ParamsOf<Id>> &
  Part<'query', QueryOf<Id>> &
  Part<'body', BodyOf<Id>> &
  MutationOptions
