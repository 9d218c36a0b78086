export type Hex = `0x${string}`

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

/** What contracts emit, each under one name: the escrow, the token, the spend permissions and the two registries. */
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
    | { name: 'PaymentDeferred'; recipient: Hex; amountMicro: bigint }
    | { name: 'PaymentClaimed'; recipient: Hex; amountMicro: bigint }
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
    | ({ name: 'FeedbackGiven' } & FeedbackRef)
    | ({ name: 'FeedbackRevoked' | 'ResponseAppended' } & FeedbackRef)
  )

/** A feedback in the reputation registry, counted from 1 for each agent and reviewer. */
interface FeedbackRef {
  agentId: bigint
  reviewer: Hex
  feedbackIndex: bigint
}

export type EscrowRole = 'arbiter' | 'operator' | 'treasury'
export type ChainEventName = ChainEvent['name']
export type ChainEventOf<Name extends ChainEventName> = Extract<ChainEvent, { name: Name }>
