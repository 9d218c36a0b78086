import { AppError } from '@agent-marketplace/contract'
import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Queryable } from '../../platform/db/queryable.ts'
import { readCredential } from '../../platform/http/credential.ts'
import { jobUrlOf } from './present.ts'
import { isTokenOf } from './rules.ts'
import { findOrder, type OrderRow } from './store.ts'
import type { WalletSignIn } from './wallet-sign-in.ts'

export interface DoorDeps {
  db: Queryable
  publicUrl: URL
  secret: string
  signIn: WalletSignIn
}

export interface Knock {
  jobId: string
  token: string | undefined
  request: FastifyRequest
  reply: FastifyReply
}

const unknownOrder = () => new AppError('NOT_FOUND', { message: 'There is no such order.' })

/** Who may read an order: the holder of its token, its signed-in buyer, or the wallet that paid. For others it does not exist. */
export function createDoor({ db, publicUrl, secret, signIn }: DoorDeps) {
  return async ({ jobId, token: inQuery, request, reply }: Knock): Promise<OrderRow> => {
    const header = request.headers['sign-in-with-x']
    const { principal } = request.facts
    const credential = readCredential(request)
    const order = await findOrder(db, jobId)
    const tokens = [inQuery, credential?.kind === 'bearer' ? credential.token : undefined]
    // A link with the token opens also while another account is signed in.
    const isKey = tokens.some((token) => token !== undefined && isTokenOf(jobId, token, secret))
    if (order && (isKey || (principal && order.ownerId === principal.ownerId))) return order
    const uri = jobUrlOf(publicUrl, jobId)
    if (typeof header === 'string') {
      const wallet = await signIn.read(header, uri)
      if (order?.payer !== wallet.toLowerCase()) throw unknownOrder()
      return order
    }
    if (principal) throw unknownOrder()
    if (tokens.some((token) => token !== undefined))
      throw new AppError('UNAUTHORIZED', { message: 'This token does not open this order.' })
    throw challenge(reply, uri)
  }

  /** Nothing is to be paid: x402 clients sign in with the wallet that has. */
  function challenge(reply: FastifyReply, url: string): AppError {
    const error = 'SIGN-IN-WITH-X header is required'
    const resource = { url, description: 'An order and its result', mimeType: 'application/json' }
    const extensions = { 'sign-in-with-x': signIn.challenge(url) }
    const required = { x402Version: 2, error, resource, accepts: [], extensions }
    reply
      .header('PAYMENT-REQUIRED', encodePaymentRequiredHeader(required))
      .header('Cache-Control', 'no-store')
    return new AppError('PAYMENT_REQUIRED', {
      message: 'Sign in with the wallet that paid, or send the token of the order. There is nothing to pay.',
      beside: { x402Version: 1, accepts: [] },
    })
  }
}

export type Door = ReturnType<typeof createDoor>
