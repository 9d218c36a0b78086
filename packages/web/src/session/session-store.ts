import type { Owner } from '@agent-marketplace/contract'
import {
  createMarketplaceClient,
  isMarketplaceError,
  type MarketplaceClient,
  type Signer,
} from '@agent-marketplace/sdk'
import type { Connection } from '../data/connection/connection.ts'
import { loadCode } from '../data/connection/load-code.ts'
import type { InjectedWallets } from './injected-wallets.ts'
import { disconnect, lazySigner } from './open-signer.ts'
import { isSameWallet, type PreparedTransaction, parseWallet, type Wallet } from './wallet.ts'

export type SessionState =
  /** The cookie's session is being looked for. Private calls would fail; public ones work. */
  | { status: 'restoring'; client: MarketplaceClient }
  | { status: 'signedOut'; client: MarketplaceClient; hasEnded: boolean }
  | { status: 'signedIn'; client: MarketplaceClient; wallet: Wallet; owner: Owner; signer: Signer }

export interface SessionStore {
  getState: () => SessionState
  subscribe: (onChange: () => void) => () => void
  /** Goes on with the session that the browser's cookie holds, if it is the one of the wallet used last. */
  restore: () => Promise<void>
  /** With a signal that is aborted before the wallet has signed, nobody is signed in. */
  signIn: (wallet: Wallet, signal?: AbortSignal) => Promise<void>
  signOut: () => Promise<void>
  /** Calls the test wallet that is signed in by another name. */
  rename: (name: string) => void
  /** Reads the owner again, after something changed it: verification, fees, the account's status. */
  refresh: () => Promise<void>
  /** Calls back whenever the wallet has signed a payment or a permission, until unsubscribed. */
  onSigned: (listener: () => void) => () => void
  /** Has the wallet that is signed in send a prepared transaction; returns its hash. */
  send: (transaction: PreparedTransaction, rpcUrl: string) => Promise<string>
  injectedWallets: () => Promise<InjectedWallets>
  /** A client without an account, for what anybody may read. */
  reader: MarketplaceClient
}

interface SessionStoreDeps {
  baseUrl: string
  connection: Pick<Connection, 'fetch' | 'untilUp'>
  storage: Storage
  loadInjectedWallets: (reader: MarketplaceClient) => Promise<InjectedWallets>
}

/** Names the wallet and not the session: that one is in a cookie which no script can read. */
export const WALLET_KEY = 'marketplace.wallet'

export function createSessionStore({
  baseUrl,
  connection,
  storage,
  loadInjectedWallets,
}: SessionStoreDeps): SessionStore {
  const reader = createMarketplaceClient({ baseUrl, cookieSession: true, fetch: connection.fetch })
  const listeners = new Set<() => void>()
  const signedListeners = new Set<() => void>()
  let state: SessionState = { status: 'restoring', client: reader }
  let wallets: Promise<InjectedWallets> | undefined
  let newestSignIn: object | undefined

  const set = (next: SessionState): void => {
    state = next
    for (const listener of listeners) listener()
  }

  const injectedWallets = (): Promise<InjectedWallets> => {
    wallets ??= loadInjectedWallets(reader).catch((error) => {
      wallets = undefined
      throw error
    })
    return wallets
  }

  const open = (wallet: Wallet, signal?: AbortSignal) => {
    const signer = lazySigner(wallet, { reader, injectedWallets }, () => {
      for (const listener of signedListeners) listener()
    })
    const client = createMarketplaceClient({
      baseUrl,
      cookieSession: true,
      fetch: connection.fetch,
      account: { ...signer, signMessage: (text) => unlessAborted(signer.signMessage(text), signal) },
      onSession: (session) => {
        const isOurs = state.status === 'signedIn' && state.client === client
        if (session === undefined && isOurs) end({ hasEnded: true })
      },
    })
    return { signer, client }
  }

  const end = ({ hasEnded }: { hasEnded: boolean }): void => {
    if (state.status === 'signedOut') return
    set({ status: 'signedOut', client: reader, hasEnded })
  }

  /** Another tab may have signed in with another wallet: the cookie is shared, so its owner decides. */
  const adopt = async (wallet: Wallet, opened = open(wallet)): Promise<boolean> => {
    const session = await opened.client.resumeSession()
    if (session?.owner.walletAddress?.toLowerCase() !== wallet.address.toLowerCase()) return false
    set({ status: 'signedIn', wallet, owner: session.owner, ...opened })
    return true
  }

  /** Only a response says that nobody is signed in: without one there is nothing to say yet. */
  const adoptWhenReachable = async (wallet: Wallet): Promise<boolean> => {
    for (;;) {
      try {
        return await adopt(wallet)
      } catch (error) {
        if (!isMarketplaceError(error) || !error.retryable) return false
        await connection.untilUp()
      }
    }
  }

  return {
    reader,
    injectedWallets,
    getState: () => state,
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    onSigned: (listener) => {
      signedListeners.add(listener)
      return () => signedListeners.delete(listener)
    },
    send: async (transaction, rpcUrl) => {
      if (state.status !== 'signedIn') throw new Error('Nobody is signed in')
      const { sendTransaction } = await loadCode(() => import('./send-transaction.ts'))
      return sendTransaction(state.wallet, transaction, { reader, injectedWallets, rpcUrl })
    },
    restore: async () => {
      const wallet = parseWallet(storage.getItem(WALLET_KEY))
      const isRestored = wallet !== undefined && (await adoptWhenReachable(wallet))
      if (!isRestored) end({ hasEnded: false })
    },
    signIn: async (wallet, signal) => {
      const before = parseWallet(storage.getItem(WALLET_KEY))
      const isOther = !before || !isSameWallet(before, wallet)
      // Nobody waits for a wallet that is not used: it may be out of reach.
      const leave = (left: Wallet) => void disconnect(left, reader).catch(() => {})
      const opened = open(wallet, signal)
      try {
        signal?.throwIfAborted()
        newestSignIn = opened
        await opened.client.signIn()
      } catch (error) {
        if (isOther) leave(wallet)
        throw error
      }
      if (newestSignIn !== opened) return
      storage.setItem(WALLET_KEY, JSON.stringify(wallet))
      await adopt(wallet, opened)
      if (before && isOther) leave(before)
    },
    rename: (name) => {
      if (state.status !== 'signedIn' || state.wallet.kind !== 'saved') return
      const wallet = { ...state.wallet, name }
      storage.setItem(WALLET_KEY, JSON.stringify(wallet))
      set({ ...state, wallet })
    },
    signOut: async () => {
      if (state.status !== 'signedIn') return
      const { client, wallet } = state
      storage.removeItem(WALLET_KEY)
      end({ hasEnded: false })
      await Promise.all([client.logout(), disconnect(wallet, reader)])
    },
    refresh: async () => {
      if (state.status !== 'signedIn') return
      const { owner } = await state.client.getSession()
      if (state.status === 'signedIn') set({ ...state, owner })
    },
  }
}

/** A wallet may sign long after somebody has turned to another one: such a signature is not sent. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  const value = await work
  signal?.throwIfAborted()
  return value
}
