import { concatHex, type Hex, toRlp } from 'viem'
import { quantity } from './quantity.ts'
import { trieRootOf } from './trieRoot.ts'

/** A log as a node writes it. */
export type RpcLog = {
  address: Hex
  topics: [] | [Hex, ...Hex[]]
  data: Hex
  blockHash: Hex
  blockNumber: Hex
  transactionHash: Hex
  transactionIndex: Hex
  logIndex: Hex
  removed: boolean
}

/** A receipt as a node writes it, as far as the header of its block commits to it. */
export type RpcReceipt = {
  transactionHash: Hex
  transactionIndex: Hex
  blockHash: Hex
  type?: Hex
  status?: Hex
  /** Only before the Byzantium fork. */
  root?: Hex
  cumulativeGasUsed: Hex
  logsBloom: Hex
  logs: RpcLog[]
  /** Deposits of the OP Stack (Base) since its Canyon upgrade. */
  depositNonce?: Hex
  depositReceiptVersion?: Hex
}

const LEGACY = 0n

/** What the header of a block says its receipts are, computed from the receipts themselves. In the order of the block. */
export const receiptsRootOf = (receipts: readonly RpcReceipt[]): Hex =>
  trieRootOf(receipts.map(encodeReceipt))

const encodeReceipt = (receipt: RpcReceipt): Hex => {
  const { status, root, cumulativeGasUsed, logsBloom, logs, depositNonce, depositReceiptVersion } = receipt
  const isVersionedDeposit = depositReceiptVersion !== undefined && depositReceiptVersion !== null
  const encoded = toRlp([
    root ?? quantity(status ?? '0x0'),
    quantity(cumulativeGasUsed),
    logsBloom,
    logs.map(({ address, topics, data }) => [address, [...topics] as Hex[], data]),
    ...(isVersionedDeposit ? [quantity(depositNonce ?? '0x0'), quantity(depositReceiptVersion)] : []),
  ])
  const type = BigInt(receipt.type ?? '0x0')
  return type === LEGACY ? encoded : concatHex([`0x${type.toString(16).padStart(2, '0')}`, encoded])
}
