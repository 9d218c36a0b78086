import type { Hex, JobTerms, Party, SpendPermission } from './port-events.ts'
import type { PreparedCall } from './port-relay.ts'

/** Typed data as it travels in JSON and goes into `eth_signTypedData_v4`. */
export interface JsonTypedData {
  domain: Record<string, unknown>
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

/** Calls on the service's own escrow, made to be relayed by the operator; `rule` is for the arbiter alone. */
export interface EscrowCalls {
  /** A job's id as the escrow's reference. */
  refOf(jobId: string): Hex
  /** And back. Undefined for any other bytes: the escrow is open to everybody, and takes whatever they write. */
  jobIdOf(ref: Hex): string | undefined
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
  /** The arbiter at the start. Whether it still is one the escrow's events say. */
  readonly address: Hex
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
  /** Its sender, as `eip155:<chainId>:<address>`. */
  readonly operator: string
  register(input: { agentUri: string }): PreparedCall
  /** Gives the operator's token to its agent's owner. */
  transfer(input: { onChainAgentId: bigint; to: string }): PreparedCall
  /** Who holds the token and which wallet it names, by the chain; undefined for an unknown number. */
  entryOf(onChainAgentId: bigint): Promise<RegistryEntry | undefined>
  /** For the token's owner to send: names the agent's wallet, with that wallet's own signature. */
  setWallet(input: { onChainAgentId: bigint; wallet: string; deadline: bigint; signature: Hex }): PreparedCall
}

export interface RegistryEntry {
  owner: Hex
  /** Undefined where none is set, as after a transfer. */
  wallet: Hex | undefined
}

/** A document as the registry names it. */
export interface NamedDocument {
  uri: string
  hash: Hex
}

/** Calls on the reputation registry (ERC-8004), made by the operator. */
export interface ReputationCalls {
  /** The keccak256 of a document's bytes, by which the registry names it. */
  hashOf(document: string): Hex
  /** One to five stars as the registry writes them. */
  valueOf(stars: number): { value: number; valueDecimals: number; tag1: string }
  /** The sender is the reviewer. */
  giveFeedback(
    input: {
      onChainAgentId: bigint
      value: number
      valueDecimals: number
      tag1: string
      tag2: string
      endpoint: string
    } & NamedDocument,
  ): PreparedCall
  /** To a feedback of the operator's own. */
  appendResponse(input: { onChainAgentId: bigint; feedbackIndex: bigint } & NamedDocument): PreparedCall
  /** The sender takes its own feedback back. */
  revokeFeedback(input: { onChainAgentId: bigint; feedbackIndex: bigint }): PreparedCall
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
  /** Tries approval and pull without making them; returns why it would fail, or nothing. */
  trySpend(input: {
    permission: SpendPermission
    signature: Hex
    amountMicro: bigint
  }): Promise<string | undefined>
  approveWithSignature(input: { permission: SpendPermission; signature: Hex }): PreparedCall
  spend(input: { permission: SpendPermission; amountMicro: bigint }): PreparedCall
  revokeAsSpender(permission: SpendPermission): PreparedCall
}
