import type { SandboxRole } from '@agent-marketplace/contract'

/** What the service asks of the chain. The adapters stand on packages/chain; nothing else in the server knows viem. */
export interface ChainPort {
  readonly facts: ChainFacts
  /** The EIP-55 spelling of an address. */
  checksumAddress(address: string): Hex
  /**
   * Whether the wallet signed this text (EIP-191): plain wallets by recovery, without the chain; smart accounts by
   * ERC-1271 or ERC-6492. Fails with UNAVAILABLE when only the chain could tell and it does not answer.
   */
  verifyMessage(input: { address: string; message: string; signature: string }): Promise<boolean>
  /** Fails when the chain does not answer, or is not the one it should be. */
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

export type Hex = `0x${string}`

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
    arbiter: string
    treasury: string
  }
  usdc: { name: string; version: string; decimals: number }
  /** The account that pulls subscriptions; a spend permission must name it. */
  spender: string
  /** The account that relays what users signed, and pays the gas. */
  operator: string
}

/** The two accounts that the service itself sends from. */
export type SenderName = 'operator' | 'spender'

/** What a transaction will say, before anyone has chosen its nonce or fees. */
export interface PreparedCall {
  to: Hex
  data: Hex
  value: bigint
}

export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export interface SignedTransaction {
  rawTransaction: Hex
  hash: Hex
}

/** A call tried at the chain's present: its gas with some to spare, the contract's no, or no answer at all. */
export type Simulation =
  | { status: 'ok'; gas: bigint }
  | { status: 'refused'; reason: string; args: readonly unknown[] }
  | { status: 'unanswered'; cause: unknown }

/** What a node said to a broadcast. Whatever is not `accepted` means: look it up. */
export type BroadcastResult = { hash: Hex } & (
  | { status: 'accepted' | 'alreadyKnown' }
  | { status: 'nonceTooLow' | 'underpriced' | 'insufficientFunds' | 'reverted' | 'rejected'; reason: string }
  | { status: 'unknown'; cause: unknown }
)

/** `unknown`: the node has never heard of it, or has dropped it. */
export type TransactionOutcome =
  | { status: 'unknown' | 'pending' }
  | { status: 'success'; hash: Hex; blockNumber: bigint; blockHash: Hex; events: ChainEvent[] }
  | { status: 'reverted'; hash: Hex; blockNumber: bigint; blockHash: Hex; reason: string }

export interface ChainRelay {
  addressOf(sender: SenderName): Hex
  /** `gasLimit` spares the search for the least gas: the call is then tried once, with that much. */
  simulate(trial: {
    sender: SenderName
    call: PreparedCall
    gasLimit?: bigint | undefined
  }): Promise<Simulation>
  /** Throws unless the node serves the chain that the service was set up for. To be asked before every signing. */
  assertChain(): Promise<void>
  /** Refuses calls to contracts that the service has no business with. */
  sign(order: {
    sender: SenderName
    call: PreparedCall
    nonce: number
    gas: bigint
    fees: Fees
  }): Promise<SignedTransaction>
  broadcast(rawTransaction: Hex): Promise<BroadcastResult>
  getFees(): Promise<Fees>
  /** What a replacement has to offer at least. */
  raiseFees(fees: { previous: Fees; market: Fees }): Fees
  /** The next nonce after everything in blocks up to that tag, or after everything the node has seen. */
  getNonce(query: { sender: SenderName; at: 'latest' | 'pending' | 'safe' }): Promise<number>
}

export interface BlockHeader {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Unix seconds. */
  timestamp: number
}

export interface ChainReader {
  getBlock(block: bigint | 'latest' | 'safe' | 'finalized'): Promise<BlockHeader | undefined>
  /** The escrow's events and those spend permissions that name our spender, both ends included, in the chain's order. */
  getEvents(range: { fromBlock: bigint; toBlock: bigint }): Promise<ChainEvent[]>
  /** Transfers from and to these wallets, and the authorizations of theirs that were used, in the chain's order. */
  getUsdcEvents(query: {
    wallets: readonly string[]
    fromBlock: bigint
    toBlock: bigint
  }): Promise<ChainEvent[]>
  getOutcome(hash: Hex): Promise<TransactionOutcome>
  /** Many at once, in the order asked: their events are decoded together, which costs a tenth. */
  getOutcomes(hashes: readonly Hex[]): Promise<TransactionOutcome[]>
  getEscrowTotals(blockNumber: bigint): Promise<{ heldMicro: bigint; owedMicro: bigint }>
  /** What each wallet held at the end of that block, in the order asked. */
  getUsdcBalances(query: { wallets: readonly string[]; blockNumber: bigint }): Promise<bigint[]>
}

/** Where an event stands: enough to recognise it again, and to notice that its block was replaced. */
export interface EventPlace {
  blockNumber: bigint
  blockHash: Hex
  transactionHash: Hex
  logIndex: number
}

export type Party = 'client' | 'seller'
export type Outcome = 'none' | 'released' | 'refunded' | 'settled' | 'ruled' | 'expired'

/** What client and seller agreed on. `deadline` is in Unix seconds; 0 means that there is none. */
export interface JobTerms {
  jobRef: Hex
  client: Hex
  seller: Hex
  agentWallet: Hex
  amountMicro: bigint
  deadline: number
}

export interface SpendPermission {
  account: Hex
  spender: Hex
  token: Hex
  allowance: bigint
  period: number
  start: number
  end: number
  salt: bigint
  extraData: Hex
}

/** What contracts tell, each under one name: the escrow, the token, the spend permissions and the two registries. */
export type ChainEvent = EventPlace &
  (
    | { name: 'JobFunded'; key: Hex; terms: JobTerms; feeBps: number }
    | { name: 'WorkSubmitted'; key: Hex; deliveryHash: Hex; reviewEndsAt: number }
    | { name: 'ChangesRequested'; key: Hex; count: number; dueAt: number }
    | { name: 'DisputeOpened'; key: Hex; by: Party; undecidedAt: number }
    | { name: 'SettlementProposed'; key: Hex; by: Party; sellerBps: number }
    | {
        name: 'JobClosed'
        key: Hex
        outcome: Outcome
        sellerNetMicro: bigint
        feeMicro: bigint
        refundedMicro: bigint
      }
    | { name: 'OperatorDisabled'; key: Hex; party: Party }
    | { name: 'PaymentDeferred' | 'PaymentClaimed'; recipient: Hex; amountMicro: bigint }
    | { name: 'RoleProposed'; role: EscrowRole; proposer: Hex; proposed: Hex }
    | { name: 'RoleChanged'; role: EscrowRole; previous: Hex; current: Hex }
    | { name: 'UsdcTransferred'; from: Hex; to: Hex; amountMicro: bigint }
    | { name: 'AuthorizationUsed'; authorizer: Hex; nonce: Hex }
    | { name: 'SpendPermissionApproved' | 'SpendPermissionRevoked'; hash: Hex; permission: SpendPermission }
    | {
        name: 'SpendPermissionUsed'
        hash: Hex
        account: Hex
        spender: Hex
        token: Hex
        periodStart: number
        periodEnd: number
        amountMicro: bigint
      }
    | { name: 'AgentRegistered'; agentId: bigint; owner: Hex; agentUri: string }
    | { name: 'AgentUriUpdated'; agentId: bigint; agentUri: string; updatedBy: Hex }
    | { name: 'AgentTransferred'; agentId: bigint; from: Hex; to: Hex }
    | {
        name: 'FeedbackGiven' | 'FeedbackRevoked' | 'ResponseAppended'
        agentId: bigint
        reviewer: Hex
        feedbackIndex: bigint
      }
  )

export type EscrowRole = 'arbiter' | 'operator' | 'treasury'
export type ChainEventName = ChainEvent['name']
export type ChainEventOf<Name extends ChainEventName> = Extract<ChainEvent, { name: Name }>

/** Typed data as it travels in JSON and goes into `eth_signTypedData_v4`. */
export interface JsonTypedData {
  domain: Record<string, unknown>
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

/** Calls on the service's own escrow, made to be relayed by the operator; `rule` is for the arbiter alone. */
export interface EscrowCalls {
  /** A job's id as the escrow's reference, and back. */
  refOf(jobId: string): Hex
  jobIdOf(ref: Hex): string
  /** Commits to the chain, the contract and every term. */
  keyOf(terms: JobTerms): Hex
  /** The one signature that funds these terms, ready to sign. */
  fundingTypedData(input: { terms: JobTerms; validAfter: bigint; validBefore: bigint }): JsonTypedData
  depositWithAuthorization(input: {
    terms: JobTerms
    validAfter: bigint
    validBefore: bigint
    signature: Hex
  }): PreparedCall
  submit(input: { key: Hex; deliveryHash: Hex }): PreparedCall
  requestChanges(input: { key: Hex }): PreparedCall
  release(input: { key: Hex }): PreparedCall
  refund(input: { key: Hex }): PreparedCall
  claimMissedDeadline(input: { key: Hex }): PreparedCall
  openDispute(input: { key: Hex; onBehalfOf: Party }): PreparedCall
  proposeSettlement(input: { key: Hex; onBehalfOf: Party; sellerBps: number }): PreparedCall
  acceptSettlement(input: { key: Hex; onBehalfOf: Party; sellerBps: number }): PreparedCall
  refundUndecided(input: { key: Hex }): PreparedCall
  claim(input: { recipient: Hex }): PreparedCall
  /** What the arbiter Safe executes; the service only proposes it. */
  rule(input: { key: Hex; sellerBps: number }): PreparedCall
}

/** A ruling with its place in the Safe's own order. These three fix every byte of what is signed. */
export interface Ruling {
  escrowKey: Hex
  sellerBps: number
  safeNonce: bigint
}

export interface SafeState {
  owners: readonly Hex[]
  threshold: number
  /** The nonce of the next transaction that it will execute. */
  nonce: bigint
}

export interface RulingPlan {
  safe: Hex
  to: Hex
  data: Hex
  safeTxHash: Hex
  typedData: JsonTypedData
}

export interface SafeSignature {
  owner: Hex
  signature: Hex
}

/** The multisig that decides disputes. All addresses are checksummed. */
export interface ArbiterSafe {
  /** Asks the chain. */
  readState(): Promise<SafeState>
  planOf(ruling: Ruling): RulingPlan
  /** Who made this EIP-712 signature, and its bytes as the Safe takes them; undefined when it is none. */
  readSignature(ruling: Ruling, signature: Hex): Promise<SafeSignature | undefined>
  /** Anyone may send it: the Safe itself checks the signatures. */
  executionOf(ruling: Ruling, signatures: readonly SafeSignature[]): PreparedCall
}

export interface UsdcCalls {
  balanceOf(owner: string): Promise<bigint>
  /** Carries out a signed EIP-3009 transfer. */
  transferWithAuthorization(input: {
    authorization: { from: Hex; to: Hex; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex }
    signature: Hex
  }): PreparedCall
  /** From the sender's own balance. */
  transfer(input: { to: string; amountMicro: bigint }): PreparedCall
}

/** Calls on the identity registry (ERC-8004), made by the operator. */
export interface AgentRegistryCalls {
  /** The registry as `eip155:<chainId>:<address>`. */
  readonly reference: string
  register(input: { agentUri: string }): PreparedCall
  /** Gives the operator's token to its agent's owner. */
  transfer(input: { onChainAgentId: bigint; to: string }): PreparedCall
}

/** Calls on the reputation registry (ERC-8004). */
export interface ReputationCalls {
  /** One to five stars; whoever sends it is the reviewer. */
  giveFeedback(input: { onChainAgentId: bigint; stars: number; feedbackUri: string }): PreparedCall
}

/** The embedded chain also gives out money and moves time; a real one does neither. */
export interface SandboxChain {
  handleRpc(body: string): Promise<string | undefined>
  faucet(grant: { address: string; amountMicro: bigint }): Promise<{ txHash: string; balanceMicro: bigint }>
  advanceTime(seconds: number): Promise<void>
  now(): Date
  /** For people who try the product out. Their keys open nothing outside this chain. */
  testWallets: readonly { role: SandboxRole; address: string; privateKey: string }[]
}

/** What a spend permission allows, who gave it, and the calls that use it. */
export interface SpendPermissionCalls {
  typedDataOf(permission: SpendPermission): JsonTypedData & {
    domain: { name: string; version: string; chainId: number; verifyingContract: Hex }
  }
  /** The permission's identity on chain. */
  hashOf(permission: SpendPermission): Promise<Hex>
  /** `keyOnly`: a plain key, which can sign a permission and yet never be pulled from. */
  accountKindOf(input: { account: Hex; signature: Hex }): Promise<'contract' | 'counterfactual' | 'keyOnly'>
  /** Whether the account, deployed or not, counts this address among its owners. */
  hasOwner(input: { permission: SpendPermission; signature: Hex; owner: string }): Promise<boolean>
  /** By ERC-1271, or ERC-6492 before the account is deployed. */
  isSigned(input: { permission: SpendPermission; signature: Hex }): Promise<boolean>
  isRevoked(permission: SpendPermission): Promise<boolean>
  /** In Unix seconds; `refusal` outside the permission's life. */
  currentPeriodOf(
    permission: SpendPermission,
  ): Promise<{ start: number; end: number; spentMicro: bigint } | { refusal: string }>
  /** Tries approval and pull without making them; answers why it would fail, or nothing. */
  trySpend(input: {
    permission: SpendPermission
    signature: Hex
    amountMicro: bigint
  }): Promise<string | undefined>
  approveWithSignature(input: { permission: SpendPermission; signature: Hex }): PreparedCall
  spend(input: { permission: SpendPermission; amountMicro: bigint }): PreparedCall
  revokeAsSpender(permission: SpendPermission): PreparedCall
}
