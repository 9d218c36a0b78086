/** What a wallet understands, whichever way it is reached (EIP-1193). */
export interface WalletProvider {
  request: (request: { method: string; params?: readonly unknown[] | object }) => Promise<unknown>
}

export interface RemoteConnection {
  address: string
  /** As the wallet calls itself. */
  name: string
}

/** One way to reach a wallet that is not in this browser. */
export interface RemoteLink {
  /** `onUri` gets what the wallet's camera has to see, where it needs that. */
  connect: (onUri: (uri: string) => void, signal: AbortSignal) => Promise<RemoteConnection>
  /** The connection of before, without a question; throws where it has ended. */
  resume: (address: string) => Promise<WalletProvider>
  /** Ends every connection to this account, on both sides. */
  disconnect: (address: string) => Promise<void>
}
