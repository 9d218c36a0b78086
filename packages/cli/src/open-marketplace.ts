import {
  createMarketplaceClient,
  type MarketplaceClient,
  type Session,
  type SigningRequest,
} from '@agent-marketplace/sdk'
import type { Context } from './command.ts'
import { CommandError } from './exit-codes.ts'
import { readSettings } from './settings.ts'
import { openSigner } from './wallet/wallet.ts'

const SESSIONS = 'sessions'
type Sessions = Record<string, Session>

const apiKeyOf = ({ terminal }: Context) => terminal.environment.AGENT_MARKETPLACE_API_KEY || undefined
export const hasApiKey = (context: Context): boolean => apiKeyOf(context) !== undefined

/**
 * A client with what is there: the wallet and its session, or an API key. Public calls work without either. What `onSign`
 * throws stops a signature.
 */
export function openMarketplace(
  context: Context,
  onSign?: (request: SigningRequest) => void,
): MarketplaceClient {
  const { terminal, home, url } = context
  const { wallet } = readSettings(home)
  const apiKey = apiKeyOf(context)
  if (!wallet) return createMarketplaceClient({ baseUrl: url, apiKey })
  const name = `${url} ${wallet.address}`
  const readSessions = () => home.read<Sessions>(SESSIONS) ?? {}
  return createMarketplaceClient({
    baseUrl: url,
    apiKey,
    account: openSigner(terminal, home, wallet),
    session: readSessions()[name],
    onSign,
    onSession(session) {
      const { [name]: _, ...others } = readSessions()
      home.write(SESSIONS, session ? { ...others, [name]: session } : others)
    },
  })
}

/** For commands that act as somebody. */
export function openAccount(context: Context): MarketplaceClient {
  if (!hasApiKey(context) && !readSettings(context.home).wallet)
    throw new CommandError('signIn', 'Sign in first: agent-marketplace login')
  return openMarketplace(context)
}

/** For commands that pay: an API key signs nothing. */
export function openPayer(context: Context): MarketplaceClient {
  if (!readSettings(context.home).wallet)
    throw new CommandError('signIn', 'Paying needs a wallet. Sign in first: agent-marketplace login')
  return openMarketplace(context)
}
