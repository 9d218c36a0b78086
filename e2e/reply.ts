import type { EndpointId, ResponseOf } from '@agent-marketplace/sdk'
import type { routes } from '../packages/sdk/src/generated/routes.ts'

export interface Reply<Body = unknown> {
  status: number
  body: Body
  headers: Headers
}

/** What the contract says that a successful call of this path returns. Unknown where no endpoint, or more than one, has it. */
export type BodyAt<Method extends 'GET' | 'POST' | 'PATCH', Path extends string> = BodyOfId<
  IdAt<Method, WithoutQuery<Path>>
>

/** What most bodies hold under `data`. */
export type DataAt<Method extends 'GET' | 'POST', Path extends string> =
  BodyAt<Method, Path> extends { data: infer Data } ? Data : unknown

type BodyOfId<Id extends EndpointId> = [Id] extends [never] ? unknown : ResponseOf<Id>

type WithoutQuery<Path extends string> = Path extends `${infer Plain}?${string}` ? Plain : Path

type Routes = typeof routes

/** A path that is written out is that endpoint, although `/api/agents/{wallet}` fits `/api/agents/search` as well. */
type IdAt<Method, Path extends string> = [Path] extends [Routes[EndpointId]['path']]
  ? { [Id in EndpointId]: Routes[Id] extends { method: Method; path: Path } ? Id : never }[EndpointId]
  : {
      [Id in EndpointId]: Routes[Id]['method'] extends Method
        ? Fits<Path, Routes[Id]['path']> extends true
          ? Id
          : never
        : never
    }[EndpointId]

/** Segment by segment: `{id}` fits any one. */
type Fits<Path extends string, Route extends string> = Path extends `${infer Segment}/${infer Rest}`
  ? Route extends `${infer Known}/${infer Others}`
    ? SegmentFits<Segment, Known> extends true
      ? Fits<Rest, Others>
      : false
    : false
  : Route extends `${string}/${string}`
    ? false
    : SegmentFits<Path, Route>

type SegmentFits<Segment extends string, Known extends string> = Known extends `{${string}}`
  ? true
  : Segment extends Known
    ? true
    : false
