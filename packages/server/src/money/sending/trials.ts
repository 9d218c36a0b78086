import type { BlockHeader, PreparedCall, SenderName } from '../../ports/chain/port.ts'
import { readCursor } from '../following/cursor-store.ts'
import type { ClaimedIntent } from '../intents/intent-store.ts'
import { type Intent, IntentRejected } from '../intents/intents.ts'
import type { MoneyDeps } from '../money-deps.ts'
import { createRefusals, intentOf, refusalOf, type Weighed } from './refusals.ts'

export type Tried = { intent: Intent; status: 'ready'; call: PreparedCall; gas: bigint } | Weighed

/** Tries what an intent would send, before anything is signed. What cannot go out now is refused, rejected, or put off. */
export function createTrials({ db, chain, kinds, log, alert, settings }: Omit<MoneyDeps, 'faults'>) {
  const { relay, reader } = chain
  const { weigh } = createRefusals({ reader, log, settings })

  /** Where the trials of a batch stand. Nowhere when the node is behind our own books: it has not seen what they have. */
  const readHead = async (): Promise<BlockHeader | undefined> => {
    const [head, cursor] = await Promise.all([
      reader.getBlock('latest').catch(() => undefined),
      readCursor(db, chain.facts.chainId),
    ])
    const isBehind = head === undefined || (cursor !== undefined && head.number < cursor.blockNumber)
    return isBehind ? undefined : head
  }

  /** Reported once; retried indefinitely. */
  const alertOfOwed = async ({ id, kind, key, attempts }: ClaimedIntent, reason: string): Promise<void> => {
    if (attempts !== settings.agreeingResponses) return
    await alert('OWED_PAYMENT_REJECTED', { id, kind, key, reason })
  }

  /** Asked after a refusal: the change may stand in a block that has not been read yet. */
  const isReplaced = async (sender: SenderName): Promise<boolean> => {
    if (sender !== 'operator') return false
    const { operator } = await reader.getEscrowRoles()
    return operator.toLowerCase() !== relay.addressOf(sender).toLowerCase()
  }

  const tryOne = async (claimed: ClaimedIntent, head: BlockHeader | undefined): Promise<Tried> => {
    const intent = intentOf(claimed)
    try {
      const kind = kinds.of(intent.kind)
      const call = await kind.prepare(intent)
      // What confirms a refusal must have seen that very block; a node without it has nothing to say.
      const at = claimed.refusals > 0 && head ? { blockNumber: head.number } : {}
      const trial = await relay.simulate({ sender: intent.sender, call, gasLimit: kind.gasLimit, ...at })
      if (trial.status === 'ok') {
        if (kind.mostGas === undefined || trial.gas <= kind.mostGas)
          return { intent, status: 'ready', call, gas: trial.gas }
        const reason = `needs ${trial.gas} gas, and at most ${kind.mostGas} is paid for`
        return await weigh(claimed, head, { reason, refusal: 'needs too much gas' })
      }
      const isHeld = trial.status === 'refused' && (await isReplaced(intent.sender))
      if (trial.status === 'refused' && !isHeld && !kind.isOwed(intent)) {
        return await weigh(claimed, head, { reason: trial.reason, refusal: refusalOf(trial) })
      }
      if (trial.status === 'refused' && !isHeld) await alertOfOwed(claimed, trial.reason)
      log.warn({ trial, intentId: intent.id }, 'a trial did not go through; the intent is tried again later')
    } catch (error) {
      if (error instanceof IntentRejected) return weigh(claimed, head, error)
      log.error({ err: error, intentId: intent.id, kind: intent.kind }, 'an intent cannot be prepared')
    }
    return { intent, status: 'postponed' }
  }

  /** In the order given. */
  return async (claimed: readonly ClaimedIntent[]): Promise<Tried[]> => {
    const head = await readHead()
    return Promise.all(claimed.map((intent) => tryOne(intent, head)))
  }
}
