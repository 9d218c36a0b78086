import { type Hex, toRlp } from 'viem'
import { keccakOfHex } from '../hashing/keccak.ts'
import { quantity } from './quantity.ts'

/** A block as a node writes it, as far as its hash commits to it, and the hashes of its transactions. */
export type RpcHeader = {
  hash: Hex | null
  number: Hex | null
  parentHash: Hex
  sha3Uncles: Hex
  miner: Hex
  stateRoot: Hex
  transactionsRoot: Hex
  receiptsRoot: Hex
  logsBloom: Hex | null
  difficulty: Hex
  gasLimit: Hex
  gasUsed: Hex
  timestamp: Hex
  extraData: Hex
  mixHash: Hex
  nonce: Hex | null
  /** London. */
  baseFeePerGas?: Hex | null
  /** Shanghai. */
  withdrawalsRoot?: Hex | null
  /** Cancun. */
  blobGasUsed?: Hex | null
  excessBlobGas?: Hex | null
  parentBeaconBlockRoot?: Hex | null
  /** Prague. */
  requestsHash?: Hex | null
  transactions: Hex[]
}

/**
 * The hash of a block, computed from its header. Each upgrade of the protocol added fields at the end, and a block without
 * one has none of those after it.
 */
export const headerHashOf = (header: RpcHeader): Hex => {
  const added = [
    numberIn(header.baseFeePerGas),
    header.withdrawalsRoot,
    numberIn(header.blobGasUsed),
    numberIn(header.excessBlobGas),
    header.parentBeaconBlockRoot,
    header.requestsHash,
  ]
  const encoded = toRlp([
    header.parentHash,
    header.sha3Uncles,
    header.miner,
    header.stateRoot,
    header.transactionsRoot,
    header.receiptsRoot,
    header.logsBloom ?? '0x',
    quantity(header.difficulty),
    quantity(header.number ?? '0x0'),
    quantity(header.gasLimit),
    quantity(header.gasUsed),
    quantity(header.timestamp),
    header.extraData,
    header.mixHash,
    header.nonce ?? '0x',
    ...added.filter((field) => field !== undefined && field !== null),
  ])
  return keccakOfHex(encoded)
}

const numberIn = (value: Hex | null | undefined): Hex | undefined =>
  value === undefined || value === null ? undefined : quantity(value)
