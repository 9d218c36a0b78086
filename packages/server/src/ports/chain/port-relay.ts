import type { ChainEvent, EscrowRole, Hex, JobTerms } from './port-events.ts'

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

/** A call tried at the chain's present: its gas with some to spare, the contract's no, or no response at all. */
export type Simulation = { status: 'ok'; gas: bigint } | Refusal
export type SimulationInOrder = { status: 'ok'; results: Hex[] } | Refusal

type Refusal =
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
    /** At the end of this block instead of at the present. */
    blockNumber?: bigint | undefined
  }): Promise<Simulation>
  /** Calls that build on each other: what each of them would return, if all would go through. */
  simulateInOrder(trial: { sender: SenderName; calls: PreparedCall[] }): Promise<SimulationInOrder>
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
  /** The next nonce of an account after everything in blocks up to that tag, or after everything the node has seen. */
  getNonce(query: { address: Hex; at: 'latest' | 'pending' | 'safe' }): Promise<number>
}

export interface BlockHeader {
  number: bigint
  hash: Hex
  parentHash: Hex
  /** Unix seconds. */
  timestamp: number
  /** Which addresses and topics the block's logs may name. */
  logsBloom: Hex
  /** Commits to every receipt of the block, and so to every log. */
  receiptsRoot: Hex
  /** In the order of the block. */
  transactionHashes: readonly Hex[]
}

export interface ChainReader {
  /** A header says what its hash commits to; fails when a node sends another. */
  getBlock(block: bigint | 'latest' | 'safe' | 'finalized'): Promise<BlockHeader | undefined>
  /**
   * All that concerns us in these blocks, proven complete by what their headers commit to, in the chain's order. Undefined
   * when the node does not know one of the blocks.
   */
  getBlockEvents(query: {
    headers: readonly BlockHeader[]
    wallets: ReadonlySet<string>
  }): Promise<ChainEvent[] | undefined>
  /** The job under this key as the escrow has it now; undefined when none was ever funded there. */
  getJob(key: Hex): Promise<{ terms: JobTerms; isClosed: boolean; doesSellerActAlone: boolean } | undefined>
  /** The escrow's events about one job, both ends included. A node may leave some out. */
  getJobEvents(query: { key: Hex; fromBlock: bigint; toBlock: bigint }): Promise<ChainEvent[]>
  /** The escrow's events and those spend permissions that name our spender, both ends included, in the chain's order. */
  getEvents(range: { fromBlock: bigint; toBlock: bigint }): Promise<ChainEvent[]>
  /** Transfers from and to these wallets, or all, and the authorizations of theirs that were used, in the chain's order. */
  getUsdcEvents(query: {
    wallets: readonly string[] | 'all'
    fromBlock: bigint
    toBlock: bigint
  }): Promise<ChainEvent[]>
  /** What was mined is proven by its block's header, like everything in blocks. */
  getOutcome(hash: Hex): Promise<TransactionOutcome>
  /** Many at once, in the order asked: their events are decoded together, which costs a tenth. */
  getOutcomes(hashes: readonly Hex[]): Promise<TransactionOutcome[]>
  getEscrowTotals(blockNumber: bigint): Promise<{ heldMicro: bigint; owedMicro: bigint }>
  /** Who held the escrow's roles at the end of that block; without one, who holds them now. */
  getEscrowRoles(blockNumber?: bigint): Promise<Record<EscrowRole, Hex>>
  /** What each wallet held at the end of that block, in the order asked. */
  getUsdcBalances(query: { wallets: readonly string[]; blockNumber: bigint }): Promise<bigint[]>
}
