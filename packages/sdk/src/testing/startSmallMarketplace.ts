import { authorizationFields, type TypedData } from '@agent-marketplace/contract'
import { verifyMessage, verifyTypedData } from 'viem'
import { decodeBase64Json, encodeBase64Json } from '../base64.ts'
import { signInText } from './signInText.ts'
import { type Reply, type Seen, startFaultyServer } from './startFaultyServer.ts'

const fields: TypedData['types'][string] = [...authorizationFields]

export const usdcAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
export const agentWallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const CHAIN_ID = 31337
const tokenDomain = { name: 'USD Coin', version: '2' }
const nonceOf = (count: number): string => `nonceNumber${count}`

const failure = (status: number, code: string, details: object = {}): Reply => ({
  status,
  headers: { 'x-request-id': `request-${code}` },
  json: { error: { code, message: `It says ${code}.`, details } },
})

/** The part of the marketplace that the client's promises rest on: sessions, idempotency keys and payments that settle once. */
export async function startSmallMarketplace() {
  const jobs: { id: string; agreedPrice: string; isPaid: boolean }[] = []
  const responses = new Map<string, Reply>()
  const tokens = new Set<string>()
  const payments: string[] = []
  const offer = { amount: '25000000', payTo: agentWallet, asset: usdcAddress }
  let nonces = 0
  const time = { issuedAt: '2026-11-15T09:00:00.000Z', expiresAt: '2026-11-15T09:05:00.000Z' }
  const textOf = (address: string, nonce: string) => signInText({ url: server.url, address, nonce, ...time })

  const handlers: Record<string, (seen: Seen) => Reply | Promise<Reply>> = {
    'POST /api/auth/request-nonce': ({ body }) => {
      nonces += 1
      const nonce = nonceOf(nonces)
      const message = textOf(JSON.parse(body).walletAddress, nonce)
      return { status: 200, json: { data: { nonce, message } } }
    },
    'POST /api/auth/verify-signature': async ({ body }) => {
      const { walletAddress: address, signature, nonce } = JSON.parse(body)
      const isGood = nonce === nonceOf(nonces) && !tokens.has(`token-${nonce}`)
      const isSigned = await verifyMessage({
        address,
        signature,
        message: textOf(address, nonce),
      })
      if (!isGood || !isSigned) return failure(401, 'UNAUTHORIZED')
      tokens.add(`token-${nonce}`)
      return { status: 200, json: { data: { token: `token-${nonce}`, owner: { id: 'cowner' } } } }
    },
    'GET /api/config': () => ({
      status: 200,
      json: {
        data: { chain: { id: CHAIN_ID }, usdc: { address: usdcAddress, ...tokenDomain }, contracts: {} },
      },
    }),
    'POST /api/jobs': ({ body, headers }) => {
      const key = String(headers['idempotency-key'])
      const stored = responses.get(key)
      if (stored) return stored
      const job = { id: `cjob${jobs.length + 1}`, agreedPrice: JSON.parse(body).agreedPrice, isPaid: false }
      jobs.push(job)
      const reply = { status: 201, json: { data: { job, paymentInfo: {} } } }
      responses.set(key, reply)
      return reply
    },
    'GET /api/jobs/cjob1': () => ({ status: 200, json: jobResponse() }),
    'POST /api/jobs/cjob1/pay': async ({ headers }) => {
      const header = headers['payment-signature']
      if (jobs[0]?.isPaid) return { status: 200, json: jobResponse() }
      if (header === undefined) return challenge()
      const { payload, accepted } = decodeBase64Json(String(header)) as PaymentPayload
      const isSigned = await verifyTypedData({
        address: payload.authorization.from,
        domain: { ...accepted.extra, chainId: CHAIN_ID, verifyingContract: accepted.asset },
        types: { TransferWithAuthorization: fields },
        primaryType: 'TransferWithAuthorization',
        message: payload.authorization,
        signature: payload.signature,
      })
      if (!isSigned) return failure(402, 'PAYMENT_REQUIRED', { reason: 'invalid_signature' })
      payments.push(payload.authorization.nonce)
      const [job] = jobs
      if (job) job.isPaid = true
      return { status: 200, json: jobResponse() }
    },
  }

  const jobResponse = () => {
    const status = jobs[0]?.isPaid ? 'IN_PROGRESS' : 'PENDING'
    const agent = { walletAddress: agentWallet }
    return { data: { job: { ...jobs[0], status, paymentMethod: 'X402', agent } } }
  }

  const challenge = (): Reply => ({
    ...failure(402, 'PAYMENT_REQUIRED'),
    headers: {
      'payment-required': encodeBase64Json({
        x402Version: 2,
        resource: { url: 'https://market.example/pay', description: 'Job: naïve café ✓' },
        accepts: [
          {
            scheme: 'exact',
            network: `eip155:${CHAIN_ID}`,
            maxTimeoutSeconds: 60,
            extra: tokenDomain,
            ...offer,
          },
        ],
      }),
    },
  })

  const isPublic = (path: string) => path.startsWith('/api/auth/') || path === '/api/config'
  const server = await startFaultyServer((seen) => {
    const path = seen.path.split('?')[0] ?? ''
    const token = seen.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!isPublic(path) && !tokens.has(token)) return failure(401, 'UNAUTHORIZED')
    return handlers[`${seen.method} ${path}`]?.(seen) ?? failure(404, 'NOT_FOUND')
  })
  return {
    ...server,
    jobs,
    /** The nonces of all payments that were settled. */
    payments,
    /** What the next challenges ask for. */
    offer,
    /** When sign-in texts are written, and until when they are good. */
    time,
    handlers,
    challenge,
    endSessions: () => tokens.clear(),
  }
}

interface PaymentPayload {
  accepted: { asset: `0x${string}`; extra: { name: string; version: string } }
  payload: {
    signature: `0x${string}`
    authorization: { from: `0x${string}`; nonce: `0x${string}` } & Record<string, string>
  }
}
