import { AppError, getOrder, orderService } from '@agent-marketplace/contract'
import type { FastifyRequest } from 'fastify'
import { checkKey } from '../../platform/http/access.ts'
import { readCredential } from '../../platform/http/credential.ts'
import type { Principal } from '../../platform/http/principal.ts'

/** The caller of a request, and the agent it addresses. */
export interface Caller {
  principal: Principal | undefined
  /** The token of a task or an order, for callers without an account. */
  token: string | undefined
  requestId: string
  /** What the caller has written: a replica that serves it must show it. */
  mustShow: bigint | undefined
  clientAddress: string
  /** Fires when the caller disconnects. */
  gone: AbortSignal
  /** Wallet of the addressed agent, in lower case; undefined for the marketplace. */
  agentWallet: string | undefined
  /** Extensions that the caller requested. */
  extensions: readonly string[]
}

/** As much of a caller as decides what they may see. */
export interface Reader extends Pick<Caller, 'token' | 'agentWallet'> {
  principal: Pick<Principal, 'ownerId' | 'scopes'> | undefined
}

type Given = Pick<Caller, 'gone' | 'agentWallet' | 'extensions'>

/** Browsers send cookies automatically, so cookies are ignored here. */
export function callerOf(request: FastifyRequest, given: Given): Caller {
  const credential = readCredential(request)
  const isBearer = credential?.kind === 'bearer'
  const principal = isBearer ? request.facts.principal : undefined
  if (principal?.accountStatus === 'DEACTIVATED')
    throw new AppError('FORBIDDEN', { message: 'This account is deactivated.' })
  const token = isBearer && !principal ? credential.token : undefined
  if (token !== undefined && !token.startsWith('jot_'))
    throw new AppError('UNAUTHORIZED', { message: 'This session or API key is invalid or has expired.' })
  const { clientAddress, mustShow } = request.facts
  return { ...given, principal, token, requestId: request.id, clientAddress, mustShow }
}

/** Tokens outlive keys and have no scopes, so callers with a key get none. */
export const isByKey = ({ principal }: Pick<Reader, 'principal'>): boolean => principal?.scopes !== undefined

/** For read-only methods. */
export function requireReading({ principal }: Pick<Caller, 'principal'>): void {
  if (principal) checkKey(getOrder, principal)
}

/** For methods that change something: a message is an order, or part of one. */
export function requireHiring({ principal }: Pick<Caller, 'principal'>): void {
  if (principal) checkKey(orderService, principal)
}
