import type { Endpoint } from '@agent-marketplace/contract'
import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import type { Invariant } from '../money/audit/invariant.ts'
import type { EventBlock } from '../money/following/event-store.ts'
import type { EventHandler } from '../money/following/recorder.ts'
import type { IntentKind } from '../money/intents/intents.ts'
import type { Retention } from '../platform/db/months/keep-months.ts'
import type { Transaction } from '../platform/db/transaction.ts'
import type { Route } from '../platform/http/call.ts'
import type { Metrics } from '../platform/http/measuring/metrics.ts'
import type { TaskOptions } from '../platform/queue/task.ts'
import type { TickHandler } from '../platform/queue/tick.ts'
import type { ChainEvent, ChainEventName } from '../ports/chain/port.ts'
import type { HappeningHandler } from './happenings.ts'
import type { PaymentPurpose } from './payments.ts'

/** Runs in the transaction that stores the event; `undo` in the one that takes it back. */
export interface ChainEventHandler {
  name: ChainEventName
  handle(tx: Transaction, event: ChainEvent, block: EventBlock): Promise<void>
  undo(tx: Transaction, event: ChainEvent, block: EventBlock): Promise<void>
}

/** Work every few seconds, by one process at a time. A tick with `nextDueAt` or `followsUp` is urgent: the others leave a place for it. */
export interface Tick {
  name: string
  seconds: number
  handler: TickHandler
  /** The first time after this one at which it has something to do: the sandbox's clock stops there. */
  nextDueAt?: (after: Date) => Promise<Date | undefined>
  /** It follows up what has begun already, which ends before the sandbox's clock moves. */
  followsUp?: boolean
}

/** A job of the queue. */
export interface Task {
  name: string
  options: TaskOptions<TSchema>
}

export interface Gauge {
  name: string
  help: string
  read: () => number | Promise<number>
}

/** What is no call of the contract: pages, documents, and hooks on every request. */
export type HttpHook = (
  http: FastifyInstance,
  mounted: { endpoints: readonly Endpoint[]; metrics: Metrics },
) => void

/** How a feature plugs in. A slot that it does not need stays out. */
export interface Feature<Api> {
  /** What later features may be handed. */
  api: Api
  routes?: readonly Route[]
  intentKinds?: readonly IntentKind[]
  eventHandlers?: readonly ChainEventHandler[]
  happenings?: readonly HappeningHandler[]
  paymentPurposes?: readonly PaymentPurpose[]
  ticks?: readonly Tick[]
  tasks?: readonly Task[]
  /** How long the tables in partitions by month are kept. */
  retentions?: readonly Retention[]
  invariants?: readonly Invariant[]
  gauges?: readonly Gauge[]
  httpHooks?: readonly HttpHook[]
  /** Ends what it holds open, when nothing uses it any more. */
  close?: () => Promise<void>
}

/** A handler for the events of one name. */
export const onChain = <Name extends ChainEventName>(
  name: Name,
  handle: EventHandler<Name>,
  undo: EventHandler<Name>,
): ChainEventHandler => ({ name, handle, undo }) as ChainEventHandler

/** A task whose handler gets what its schema describes. */
export const task = <Schema extends TSchema>(name: string, options: TaskOptions<Schema>): Task => ({
  name,
  options: options as TaskOptions<TSchema>,
})
