/**
 * The wallets of agents. A wallet spends without gas: it signs an EIP-3009 TransferWithAuthorization and the marketplace's
 * operator carries it out. Apart from that it can only agree to be named as an agent's wallet in the identity registry.
 */
export interface WalletsPort {
  readonly custody: Custody
  /** The agent's wallet, made on the first call; asking again gives the same one, with the limits asked for last. */
  provision(request: { agentId: string; limits: WalletLimits }): Promise<AgentWallet>
  updateLimits(request: { walletId: string; limits: WalletLimits }): Promise<void>
  /**
   * Signs one transfer of the service's own token, from this wallet, within its limit. Anything else is FORBIDDEN, an
   * unknown wallet NOT_FOUND, and a provider that does not respond UNAVAILABLE.
   */
  signTransfer(request: { walletId: string; authorization: SpendAuthorization }): Promise<`0x${string}`>
  /** Signs that this wallet agrees to be the agent's wallet in the identity registry (ERC-8004) of the token's chain. */
  signConsent(request: { walletId: string; consent: RegistryConsent }): Promise<`0x${string}`>
}

/** Who holds the keys, in words that an operator and a seller may read. */
export interface Custody {
  kind: 'embedded' | 'cdp'
  isTee: boolean
  statement: string
}

export interface AgentWallet {
  /** Names the wallet to this port; opaque to everyone else. */
  walletId: string
  /** Checksummed. */
  address: string
}

/** The cumulative session cap is not here: only the service knows what was spent. */
export interface WalletLimits {
  perTxLimitMicro?: bigint | undefined
  /** The only addresses that may be paid, where somebody else than this process holds the keys; without it any. */
  payees?: readonly string[] | undefined
}

/** The EIP-712 domain of the token, as the token itself states it. */
export interface TokenDomain {
  name: string
  version: string
  chainId: number
  verifyingContract: string
}

/** An EIP-3009 TransferWithAuthorization in full: its domain, and its message under the names that are signed. */
export interface SpendAuthorization {
  domain: TokenDomain
  from: string
  to: string
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: string
}

/** What a wallet agrees to. It never names another wallet than itself. */
export interface RegistryConsent {
  onChainAgentId: bigint
  /** Who holds the agent's token, and so may use the signature. */
  owner: string
  /** Unix seconds; the registry takes no more than five minutes. */
  deadline: bigint
}
