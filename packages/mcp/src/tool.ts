import type { BodyOf, JobDetail, MarketplaceClient } from '@agent-marketplace/sdk'
import type { Static, TObject } from 'typebox'
import type { CapsView } from './views/caps.ts'

/** What a person must have allowed before a tool may run for their account; `open` tools need no account. */
export type ToolScope = 'open' | 'read' | 'hire' | 'sell'

/** A wallet that signs by itself. */
export interface PayingWallet {
  /** Hires and pays. The same purchase is one job and one payment, however often it is requested. */
  hire: (order: BodyOf<'quoteJob'>, purchase: string) => Promise<JobDetail>
  /** What it may still spend. */
  readCaps: () => Promise<CapsView>
}

/** The marketplace as one caller reaches it. */
export interface Market {
  /** Acts as the caller: with their credential, or without one. */
  client: MarketplaceClient
  /** Whether the client has a credential. */
  hasAccount: boolean
  /** Pays for jobs by itself, within its caps. Without one the caller pays: in the call, or a person on the job's page. */
  wallet?: PayingWallet | undefined
  /** Reads as the holder of an order's token. */
  withToken: (token: string) => MarketplaceClient
  /** Where people and links go. */
  publicUrl: URL
  /** A page of the marketplace that is not JSON. */
  readText: (path: string) => Promise<string>
  /** Rejects with the signal's reason when it is aborted. */
  sleep: (durationMs: number, signal: AbortSignal) => Promise<void>
}

/** What a handler may use of the call that it serves. */
export interface ToolCall {
  /** `_meta` of the request, where x402 puts payments. */
  meta: Readonly<Record<string, unknown>>
  /** Ends when the caller goes away. What is paid for goes on all the same. */
  signal: AbortSignal
  /** Shows the caller that work goes on, if they asked for that. */
  reportProgress: (message: string) => Promise<void>
}

export interface ToolOutcome<Data = object> {
  /** What happened and what to do next, in a sentence or two. */
  text: string
  data: Data
  /** For clients that read the first text as JSON. */
  isDataFirst?: boolean
  isError?: boolean
  meta?: Record<string, unknown>
}

export interface Tool {
  name: string
  title: string
  description: string
  scope: ToolScope
  /** Of which a client that acts for an account needs one, where that is not `scope` alone. */
  accountScopes?: readonly ToolScope[]
  input: TObject
  output: TObject
  /** Reads and changes nothing. */
  isReading: boolean
  /** Moves money, or ends what cannot be opened again. */
  isFinal: boolean
  run: (market: Market, args: unknown, call: ToolCall) => Promise<ToolOutcome>
}

interface NewTool<Input extends TObject, Output extends TObject>
  extends Pick<Tool, 'name' | 'title' | 'description' | 'scope' | 'accountScopes'> {
  input: Input
  output: Output
  kind: 'reads' | 'writes' | 'final'
  run: (
    market: Market,
    args: Static<Input>,
    call: ToolCall,
  ) => Promise<ToolOutcome<Static<Output>> | (ToolOutcome & { isError: true })>
}

/** A tool whose handler gets what its input schema describes and returns what its output schema promises. */
export function defineTool<Input extends TObject, Output extends TObject>({
  kind,
  run,
  ...tool
}: NewTool<Input, Output>): Tool {
  return {
    ...tool,
    isReading: kind === 'reads',
    isFinal: kind === 'final',
    // The server checks arguments against `input` before a handler runs.
    run: (market, args, call) => run(market, args as Static<Input>, call),
  }
}
