import type { SandboxRole } from '@agent-marketplace/contract'
import type {
  AgentRegistryCalls,
  ArbiterSafe,
  EscrowCalls,
  ReputationCalls,
  SpendPermissionCalls,
  UsdcCalls,
} from './port-calls.ts'
import type { Hex } from './port-events.ts'
import type { ChainReader, ChainRelay, PreparedCall } from './port-relay.ts'

// The port has three parts: what the chain emits (events), how the service talks to it (relay, reader), and what there is to
// say to each contract (calls). All of them are had from here.
export type * from './port-calls.ts'
export type * from './port-events.ts'
export type * from './port-relay.ts'

/** What the service asks of the chain. The adapters stand on packages/chain; nothing else in the server knows viem. */
export interface ChainPort {
  readonly facts: ChainFacts
  /** The EIP-55 spelling of an address. */
  checksumAddress(address: string): Hex
  /**
   * Whether the wallet signed this text (EIP-191): plain wallets by recovery, without the chain; smart accounts by
   * ERC-1271 or ERC-6492. Fails with UNAVAILABLE when only the chain could decide and it does not respond.
   */
  verifyMessage(input: { address: string; message: string; signature: string }): Promise<boolean>
  /**
   * A signature as contracts take it. Where it is that of a smart wallet that may not be deployed yet (ERC-6492), it comes
   * with the call that deploys the wallet; one of a factory that the service does not know stays as it is.
   */
  readSignature(signature: string): { signature: Hex; deployment: PreparedCall | undefined }
  /** Whether the service deploys smart wallets by this contract. */
  isWalletFactory(address: string): boolean
  /** Fails when the chain does not respond, or is not the one it should be. */
  ping(): Promise<void>
  /** For the money engine alone: nobody else signs or sends. */
  readonly relay: ChainRelay
  readonly reader: ChainReader
  readonly escrow: EscrowCalls
  readonly usdc: UsdcCalls
  readonly spendPermissions: SpendPermissionCalls
  readonly agentRegistry: AgentRegistryCalls
  readonly reputation: ReputationCalls
  readonly arbiter: ArbiterSafe
}

/** The chain as clients must know it before they sign anything. */
export interface ChainFacts {
  chainId: number
  name: string
  explorerUrl: string | null
  /** The chain's public endpoint, for wallets; the one that the service itself uses may hold a secret. */
  publicRpcUrl: string
  contracts: {
    usdc: string
    escrow: string
    agentRegistry: string
    reputationRegistry: string
    spendPermissionManager: string
    /** The last two as they were at the start: `money/roles/roles.ts` knows who holds these roles now. */
    arbiter: string
    treasury: string
  }
  usdc: { name: string; version: string; decimals: number }
  /** The account that pulls subscriptions; a spend permission must name it. */
  spender: string
  /** The account that relays what users signed, and pays the gas. */
  operator: string
  /** What creates passkey wallets; null where the chain has none of its own. */
  passkeyFactory: string | null
}

/** The embedded chain also gives out money and moves time; a real one does neither. */
export interface SandboxChain {
  handleRpc(body: string): Promise<string | undefined>
  faucet(grant: { address: string; amountMicro: bigint }): Promise<{ txHash: string; balanceMicro: bigint }>
  advanceTime(seconds: number): Promise<void>
  /** Blocks of `work` are on disk when it has ended, and not one by one. */
  syncOnce<T>(work: () => Promise<T>): Promise<T>
  now(): Date
  /** For people who try the product out. Their keys open nothing outside this chain. */
  testWallets: readonly { role: SandboxRole; address: string; privateKey: string }[]
}
