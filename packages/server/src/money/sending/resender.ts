import type { Hex, SenderName, SignedTransaction } from '../../ports/chain/port.ts'
import { haltedReason } from '../following/status.ts'
import type { MoneyDeps } from '../money-deps.ts'
import type { NonceGaps } from './nonce-gaps.ts'
import type { Signer } from './signer-store.ts'
import {
  type ChainTransaction,
  listDue,
  listFormerSigners,
  lockOpenTransaction,
  markSent,
  storeReplacement,
} from './transaction-store.ts'

const BATCH = 50
const NOOP_GAS = 21_000n

export interface Resender {
  /** Sends again what was not heard of; returns how many transactions it touched. */
  resend(sender: SenderName): Promise<number>
  /** The same for keys that were replaced. Their bytes go out as they are: nobody here could sign others. */
  resendFormer(): Promise<number>
}

/**
 * Looks after what was sent and has no outcome: bytes that a node never got or dropped go out again as they are; the
 * one at the head of the line that stays unmined is replaced under the same nonce, at most so often, then filled.
 */
export function createResender(
  { db, chain, log, alert, faults, settings }: MoneyDeps,
  gaps: Pick<NonceGaps, 'fill'>,
): Resender {
  const { relay, reader } = chain
  const { chainId } = chain.facts

  const replace = async (
    sender: SenderName,
    stuck: ChainTransaction,
  ): Promise<SignedTransaction | undefined> => {
    await relay.assertChain()
    const market = await relay.getFees()
    const signer = { chainId, address: relay.addressOf(sender) }
    const isNoop = stuck.isNoop || stuck.replacements >= settings.maxReplacements
    const replacement = await db.transaction(async (tx) => {
      const previous = await lockOpenTransaction(tx, signer, stuck)
      if (previous === undefined) return undefined
      const fees = relay.raiseFees({ previous: previous.fees, market })
      const call = isNoop ? { to: signer.address, data: '0x' as Hex, value: 0n } : previous.call
      const gas = isNoop ? NOOP_GAS : previous.gas
      const signed = await relay.sign({ sender, call, nonce: previous.nonce, gas, fees })
      await storeReplacement(tx, signer, { previous, signed, fees, isNoop })
      return signed
    })
    if (replacement && isNoop && !stuck.isNoop) {
      await alert('TRANSACTION_GIVEN_UP', {
        sender,
        nonce: stuck.nonce,
        intentId: stuck.intentId,
      })
    }
    await faults.reach('replacement.stored')
    return replacement
  }

  const lookAfter = async (
    sender: SenderName,
    transaction: ChainTransaction & { isStuck: boolean },
    isFirstInLine: boolean,
  ): Promise<void> => {
    const outcome = await reader.getOutcome(transaction.txHash)
    // What is mined belongs to the indexer.
    if (outcome.status === 'success' || outcome.status === 'reverted') return
    const mayReplace = isFirstInLine && transaction.isStuck
    let bytes: Hex | undefined = transaction.rawTransaction
    if (outcome.status === 'pending') {
      if (!mayReplace) return
      bytes = (await replace(sender, transaction))?.rawTransaction
    }
    if (bytes === undefined) return
    const result = await relay.broadcast(bytes)
    if (result.status === 'underpriced' && outcome.status === 'unknown' && isFirstInLine) {
      const replacement = await replace(sender, transaction)
      if (replacement) await relay.broadcast(replacement.rawTransaction)
    }
    log.info({ sender, nonce: transaction.nonce, status: result.status }, 'a transaction was sent again')
  }

  const resendOf = async (signer: Signer): Promise<number> => {
    const due = await listDue(db, signer, { stuckAfterSeconds: settings.replaceAfterSeconds, limit: BATCH })
    for (const { txHash, rawTransaction } of due) {
      const { status } = await reader.getOutcome(txHash)
      if (status === 'unknown') await relay.broadcast(rawTransaction)
    }
    const nonces = due.map(({ nonce }) => nonce)
    if (nonces.length > 0)
      await markSent(db, signer, { nonces, dueAfterSeconds: settings.resendAfterSeconds })
    return due.length
  }

  return {
    async resendFormer() {
      const own = [relay.addressOf('operator'), relay.addressOf('spender')]
      const former = await listFormerSigners(db, chainId, own)
      if (former.length === 0 || (await haltedReason(db, chainId)) !== undefined) return 0
      const counts = await Promise.all(former.map((address) => resendOf({ chainId, address })))
      return counts.reduce((sum, count) => sum + count, 0)
    },

    async resend(sender) {
      const signer = { chainId, address: relay.addressOf(sender) }
      const due = await listDue(db, signer, {
        stuckAfterSeconds: settings.replaceAfterSeconds,
        limit: BATCH,
      })
      if (due.length === 0 || (await haltedReason(db, chainId)) !== undefined) return 0
      const [minedNonce, head] = await Promise.all([
        relay.getNonce({ address: signer.address, at: 'latest' }),
        reader.getBlock('latest'),
      ])
      const filled = head === undefined ? 0 : await gaps.fill(sender, { minedNonce, headNumber: head.number })
      if (filled > 0) await alert('NONCES_MISSING', { sender, filled })
      const waiting = due.filter(({ nonce }) => nonce >= minedNonce)
      for (const transaction of waiting) {
        await lookAfter(sender, transaction, transaction.nonce === minedNonce)
      }
      const nonces = waiting.map(({ nonce }) => nonce)
      if (nonces.length > 0) {
        await markSent(db, signer, { nonces, dueAfterSeconds: settings.resendAfterSeconds })
      }
      return waiting.length + filled
    },
  }
}
