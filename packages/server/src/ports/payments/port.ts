import type { PaymentRequirements } from '@agent-marketplace/contract'

/** How x402 payments in USDC are checked and carried out: by this service itself, or by a facilitator elsewhere. */
export interface PaymentsPort {
  /** CAIP-2 id of the one chain that payments are taken on. */
  readonly network: Network
  supported(): Promise<SupportedPayments>
  /** Whether the payment could be settled now. Fails with UNAVAILABLE when that cannot be determined. */
  verify(payment: Payment, offer: Offer): Promise<Verdict>
  /** What became of the authorization on chain since that block. */
  lookUp(payment: Payment, sinceBlock: bigint): Promise<Fate>
  /** Who sends the transaction: `relayed` ones are made into an intent of the money engine. */
  readonly settlement: RelayedSettlement | DelegatedSettlement
}

export type Hex = `0x${string}`
export type Network = `${string}:${string}`

/** What the payer was asked to sign. */
export type Offer = Omit<PaymentRequirements, 'network'> & { network: Network }

/** An EIP-3009 authorization and its signature. The pair of payer and nonce can move money once, no matter who sends it. */
export interface Payment {
  payer: Hex
  payTo: Hex
  amountMicro: bigint
  validAfter: bigint
  /** Unix seconds. */
  validBefore: bigint
  nonce: Hex
  signature: Hex
}

export interface PreparedCall {
  to: Hex
  data: Hex
  value: bigint
}

export interface SupportedPayments {
  kinds: { x402Version: number; scheme: string; network: string; extra?: Record<string, unknown> }[]
  signers: Record<string, string[]>
}

export type Verdict =
  /**
   * `blockNumber` is the head at which the authorization was still unused; `deployment` brings the payer's smart wallet
   * into being, where it does not exist yet. A payer that `isContract` decides by itself how much gas its signature costs.
   */
  | { status: 'valid'; blockNumber: bigint; isContract?: boolean; deployment?: PreparedCall }
  /** One of the reasons of the x402 protocol. */
  | { status: 'invalid'; reason: string }

/** Where the transfer of a payment stands on chain. */
export interface TransferPlace {
  txHash: Hex
  logIndex: number
  blockNumber: bigint
  blockHash: Hex
  blockTime: Date
}

export type Fate =
  | { status: 'unused' }
  /** It was used or cancelled, and the node does not show where: asked again, it may. */
  | { status: 'unknown' }
  /** Unused, and by the chain's own time no block can take it any more. */
  | { status: 'expired' }
  /** Cancelled by the payer, or used for something else than this payment, in a block that is safe. */
  | { status: 'spent' }
  | { status: 'transferred'; place: TransferPlace }

export interface RelayedSettlement {
  by: 'service'
  /** The call that executes the payment, no matter who sends it. */
  prepare(payment: Payment): PreparedCall
}

export interface DelegatedSettlement {
  by: 'facilitator'
  settle(payment: Payment, offer: Offer): Promise<DelegatedOutcome>
}

/**
 * What the facilitator returned. Only the chain shows whether a payment is settled, so `accepted` still has to be looked up;
 * `refused` means that it sent nothing; after `unknown` anything may have happened.
 */
export type DelegatedOutcome =
  | { status: 'accepted'; txHash: Hex }
  | { status: 'refused'; reason: string }
  | { status: 'unknown' }
