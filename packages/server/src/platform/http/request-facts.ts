import type { Endpoint, ErrorCode } from '@agent-marketplace/contract'
import type { Principal } from './principal.ts'

/** What the pipeline has found out about a request by the time its handler runs. */
export interface RequestFacts {
  endpoint: Endpoint | undefined
  /** The path as it is declared, for metrics and logs. */
  route: string
  clientAddress: string
  principal: Principal | undefined
  /** Who the credential stands for, also where the call shows them no more than it shows everybody. */
  identified: Principal | undefined
  /** Of the error that was sent. */
  errorCode: ErrorCode | undefined
  /** What a call with a token of its own is counted for, in place of its address. */
  countedFor: string | undefined
  /** What a caller has written themselves, as a position in the log of the database; only where there are replicas. */
  mustShow: bigint | undefined
  body: unknown
  rawBody: Buffer | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    facts: RequestFacts
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint
  }
}
