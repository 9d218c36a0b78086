import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError, isZeroAddress } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { type SignIn, signInMessage } from '../../house/sign-in-message.ts'
import { addSeconds, type Clock } from '../../platform/clock/clock.ts'
import type { Queryable } from '../../platform/db/queryable.ts'
import type { ChainPort } from '../../ports/chain/port.ts'
import { useNonce } from './store.ts'

export interface WalletSignInDeps {
  db: Queryable
  /** Real time. */
  clock: Clock
  chain: Pick<ChainPort, 'facts' | 'checksumAddress' | 'verifyMessage'>
  publicUrl: URL
  secret: string
}

const LIFETIME_SECONDS = 300
const STATEMENT = 'Open what this wallet has paid for. This costs nothing and moves no funds.'

const Signed = Type.Object({
  address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  nonce: Type.String({ pattern: '^[0-9a-f]{76}$' }),
  signature: Type.String({ pattern: '^0x([0-9a-fA-F]{2})+$', maxLength: 16_384 }),
})
const signed = Compile(Signed)
const Echoed = Type.Object({
  'sign-in-with-x': Type.Object({
    info: Type.Object({ nonce: Signed.properties.nonce, uri: Type.String({ maxLength: 2_048 }) }),
  }),
})
const echoed = Compile(Echoed)

/** What the header holds, for clients that check it before they sign. */
const text = { type: 'string' }
const schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    domain: text,
    address: text,
    statement: text,
    uri: { type: 'string', format: 'uri' },
    version: text,
    chainId: text,
    type: text,
    nonce: text,
    issuedAt: { type: 'string', format: 'date-time' },
    expirationTime: { type: 'string', format: 'date-time' },
    signature: text,
  },
  required: ['domain', 'address', 'uri', 'version', 'chainId', 'type', 'nonce', 'issuedAt', 'signature'],
}

/**
 * Signing in to one URL with a wallet (x402's sign-in-with-x). A challenge is not stored: its nonce holds the time and a
 * mark of this service, and all else in the text follows from the URL. So a signature over any other text does not verify,
 * and only a nonce that was used has to be kept.
 */
export function createWalletSignIn({ db, clock, chain, publicUrl, secret }: WalletSignInDeps) {
  const { chainId } = chain.facts

  const markOf = (open: string, uri: string): string =>
    createHmac('sha256', secret).update(`sign-in:${open}:${uri}`).digest('hex').slice(0, 32)

  const detailsOf = (uri: string, nonce: string): Omit<SignIn, 'walletAddress'> => {
    const issuedAt = new Date(Number.parseInt(nonce.slice(0, 12), 16))
    const expiresAt = addSeconds(issuedAt, LIFETIME_SECONDS)
    return { domain: publicUrl.host, statement: STATEMENT, uri, chainId, nonce, issuedAt, expiresAt }
  }

  function isOurs(nonce: string, uri: string): boolean {
    const [open, mark] = [nonce.slice(0, 44), nonce.slice(44)]
    return timingSafeEqual(Buffer.from(mark), Buffer.from(markOf(open, uri)))
  }

  return {
    /** The extension of a 402 response. */
    challenge(uri: string) {
      const open = clock.now().getTime().toString(16).padStart(12, '0') + randomBytes(16).toString('hex')
      const { domain, statement, nonce, issuedAt, expiresAt } = detailsOf(uri, open + markOf(open, uri))
      return {
        info: {
          domain,
          uri,
          statement,
          version: '1',
          nonce,
          issuedAt: issuedAt.toISOString(),
          expirationTime: expiresAt.toISOString(),
        },
        supportedChains: [{ chainId: `eip155:${chainId}`, type: 'eip191' }],
        schema,
      }
    },

    /** Whether a payment came with the challenge of its offer, as clients echo it: its nonce stands nowhere else. */
    isEchoed({ extensions }: { extensions?: unknown }): boolean {
      if (!echoed.Check(extensions)) return false
      const { nonce, uri } = extensions['sign-in-with-x'].info
      return isOurs(nonce, uri)
    },

    /** The wallet that signed the header for this URL. Which of the checks failed is not disclosed. */
    async read(header: string, uri: string): Promise<string> {
      const value = parse(header)
      if (!signed.Check(value) || isZeroAddress(value.address) || !isOurs(value.nonce, uri)) throw refused()
      const details = detailsOf(uri, value.nonce)
      const now = clock.now()
      if (details.issuedAt > now || details.expiresAt <= now) throw refused()
      const walletAddress = chain.checksumAddress(value.address)
      const message = signInMessage({ ...details, walletAddress })
      const { signature } = value
      if (!(await chain.verifyMessage({ address: walletAddress, message, signature }))) throw refused()
      if (!(await useNonce(db, value.nonce, details.expiresAt))) throw refused()
      return walletAddress
    },
  }
}

export type WalletSignIn = ReturnType<typeof createWalletSignIn>

function parse(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64').toString('utf8'))
  } catch {
    return undefined
  }
}

function refused(): AppError {
  return new AppError('UNAUTHORIZED', {
    message: 'SIGN-IN-WITH-X does not verify for this URL, or was used before.',
  })
}
