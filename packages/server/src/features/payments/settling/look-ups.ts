import { isRecorded } from '../../../money/following/event-store.ts'
import { isWatched } from '../../../money/following/watched-wallets.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { ChainPort } from '../../../ports/chain/port.ts'
import type { Fate, PaymentsPort, TransferPlace } from '../../../ports/payments/port.ts'
import { type PaymentRow, paymentOf } from '../store.ts'
import type { Conclusion } from './conclusion.ts'

export interface LookUpDeps {
  db: Database
  port: Pick<PaymentsPort, 'lookUp'>
  reader: Pick<ChainPort['reader'], 'getBlock'>
  /** Reads the chain up to its head now, so that what is mined is in the books. */
  followChain: () => Promise<void>
  conclusion: Conclusion
}

/**
 * Asks the chain what became of a payment and writes it down. False while it can still go either way. Whether its time is
 * over the chain says as well: taken for over too early, what is still pending would be requested a second time.
 */
export function createLookUp(deps: LookUpDeps): (row: PaymentRow) => Promise<boolean> {
  const { db, port, reader, followChain, conclusion } = deps

  /** Only what the indexer has read is a fact: it alone notices when a block is replaced. */
  async function isFact(tx: Transaction, row: PaymentRow, place: TransferPlace): Promise<boolean> {
    if (await isRecorded(tx, row.chainId, { ...place, transactionHash: place.txHash })) return true
    // It does not read wallets that nobody watches. There a final block is a fact.
    if (await isWatched(tx, row.payTo)) return false
    const [standing, final] = await Promise.all([
      reader.getBlock(place.blockNumber),
      reader.getBlock('finalized'),
    ])
    return standing?.hash === place.blockHash && final !== undefined && final.number >= place.blockNumber
  }

  const settle = (row: PaymentRow, place: TransferPlace): Promise<boolean> =>
    db.transaction(async (tx) => {
      if (!(await isFact(tx, row, place))) return false
      await conclusion.settled(tx, row, place)
      return true
    })

  return async (row) => {
    const fate = await port.lookUp(paymentOf(row), row.sinceBlock)
    if (fate.status === 'transferred') {
      if (await settle(row, fate.place)) return true
      await followChain()
      return settle(row, fate.place)
    }
    const reason = reasonAgainst(row, fate.status)
    if (reason === undefined) return false
    await db.transaction((tx) => conclusion.rejected(tx, row, reason))
    return true
  }
}

function reasonAgainst(
  { reason }: PaymentRow,
  fate: Exclude<Fate['status'], 'transferred'>,
): string | undefined {
  if (fate === 'spent') return 'invalid_exact_evm_nonce_already_used'
  // Unused, whatever was said before: as long as it is valid anyone can still make the payment.
  if (fate === 'unknown' || fate === 'unused') return undefined
  return reason ?? 'invalid_exact_evm_payload_authorization_valid_before'
}
