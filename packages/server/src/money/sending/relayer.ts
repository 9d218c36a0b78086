import type { BlockHeader, BroadcastResult, Hex, PreparedCall, SenderName } from '../../ports/chain/port.ts'
import { readCursor } from '../following/cursor-store.ts'
import {
  type ClaimedIntent,
  claimIntents,
  forgetRefusals,
  noteRefusals,
  postponeIntents,
  rejectPendingIntent,
} from '../intents/intent-store.ts'
import { type Intent, IntentRejected } from '../intents/intents.ts'
import type { MoneyDeps } from '../money-deps.ts'
import { createRoles } from '../roles/roles.ts'
import { createRefusals, intentOf, refusalOf, type Weighed } from './refusals.ts'
import { agreeOnNonce, introduceSigner, isSignerKnown, type Signer, takeNonces } from './signer-store.ts'
import { markSent, storeTransactions } from './transaction-store.ts'

/** So many intents at most before others get their turn, and before the engine can stop. */
const MOST_AT_ONCE = 1_000

export interface Relayer {
  /** Sends out the pending intents of this sender, batch after batch; returns how many it dealt with. */
  submit(sender: SenderName): Promise<number>
}

type Readiness = { intent: Intent; status: 'ready'; call: PreparedCall; gas: bigint } | Weighed

interface Batch {
  token: bigint
  /** How many were claimed. */
  size: number
  ready: Extract<Readiness, { status: 'ready' }>[]
}

/**
 * Turns pending intents into transactions. A nonce is taken in the same database transaction that stores the signed
 * bytes, before anything is sent: so nothing is sent that is not known, and whatever is known can be sent again.
 */
export function createRelayer({ db, chain, kinds, log, alert, faults, settings }: MoneyDeps): Relayer {
  const roles = createRoles(db, chain)
  const { relay, reader } = chain
  const { chainId } = chain.facts
  const { weigh } = createRefusals({ reader, log, settings })

  /** Where the trials of a batch stand. Nowhere when the node is behind our own books: it has not seen what they have. */
  const readHead = async (): Promise<BlockHeader | undefined> => {
    const [head, cursor] = await Promise.all([
      reader.getBlock('latest').catch(() => undefined),
      readCursor(db, chainId),
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

  const makeReady = async (claimed: ClaimedIntent, head: BlockHeader | undefined): Promise<Readiness> => {
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

  /** One that its feature cannot take back now is tried again later, and holds up none of the others. */
  const reject = async (intent: Intent, token: bigint, reason: string): Promise<void> => {
    try {
      await db.transaction(async (tx) => {
        const rejected = await rejectPendingIntent(tx, { id: intent.id, token, reason })
        if (rejected) await kinds.of(rejected.kind).onRejected(tx, rejected, reason)
      })
    } catch (error) {
      log.error({ err: error, intentId: intent.id, kind: intent.kind }, 'a rejection could not be reported')
      await postponeIntents(db, { ids: [intent.id], token })
    }
  }

  /** A signer that is known stays known. */
  const introduced = new Set<SenderName>()
  const introduce = async (sender: SenderName, signer: Signer): Promise<void> => {
    if (introduced.has(sender)) return
    if (!(await isSignerKnown(db, signer))) {
      await introduceSigner(db, signer, await relay.getNonce({ address: signer.address, at: 'pending' }))
    }
    introduced.add(sender)
  }

  /** Returns the bytes to send, in the order of their nonces. */
  const store = async (
    sender: SenderName,
    token: bigint,
    ready: Batch['ready'],
  ): Promise<{ nonce: number; rawTransaction: Hex }[]> => {
    const signer = { chainId, address: relay.addressOf(sender) }
    const [fees, minedNonce, head] = await Promise.all([
      relay.getFees(),
      relay.getNonce({ address: signer.address, at: 'latest' }),
      reader.getBlock('latest'),
      relay.assertChain(),
      introduce(sender, signer),
    ])
    const claim = { minedNonce, block: head?.number ?? 0n, agreeingResponses: settings.agreeingResponses }
    if (!(await agreeOnNonce(db, signer, claim))) {
      throw new Error(`the node says that nonces of the ${sender} are used that we never gave out`)
    }
    return db.transaction(async (tx) => {
      const ids = ready.map(({ intent }) => intent.id)
      const { nextNonce, mine } = await takeNonces(tx, signer, { ids, token })
      const signed = await Promise.all(
        ready
          .filter(({ intent }) => mine.has(intent.id))
          .map(async ({ intent, call, gas }, index) => {
            const nonce = nextNonce + index
            const { hash, rawTransaction } = await relay.sign({ sender, call, nonce, gas, fees })
            return { nonce, intentId: intent.id, txHash: hash, rawTransaction, gas, fees, call }
          }),
      )
      if (signed.length > 0) await storeTransactions(tx, signer, signed, settings.resendAfterSeconds)
      await faults.reach('transaction.storing')
      return signed
    })
  }

  const report = async (sender: SenderName, result: BroadcastResult): Promise<void> => {
    if (result.status === 'accepted' || result.status === 'alreadyKnown') return
    log.warn({ sender, result }, 'a broadcast was not simply accepted; the transaction will be looked up')
    if (result.status === 'insufficientFunds') {
      await alert('GAS_MONEY_MISSING', { sender, address: relay.addressOf(sender) })
    }
  }

  /** Claims a batch and tries each of its calls. What cannot go out now is rejected, or put off. */
  const prepareBatch = async (sender: SenderName): Promise<Batch> => {
    const { token, intents } = await claimIntents(db, {
      chainId,
      sender,
      limit: settings.batchSize,
      leaseSeconds: settings.leaseSeconds,
    })
    if (intents.length === 0) return { token, size: 0, ready: [] }
    await faults.reach('intent.claimed')

    const head = await readHead()
    const all = await Promise.all(intents.map((intent) => makeReady(intent, head)))
    for (const one of all) if (one.status === 'rejected') await reject(one.intent, token, one.reason)
    const refused = all
      .filter((one) => one.status === 'refused')
      .map(({ intent: { id }, ...rest }) => ({ id, ...rest }))
    if (refused.length > 0)
      await noteRefusals(db, { refused, token, pauseSeconds: settings.refusalPauseSeconds })
    const wasRefused = new Set(intents.filter(({ refusals }) => refusals > 0).map(({ id }) => id))
    const accepted = all.filter(({ intent, status }) => status === 'ready' && wasRefused.has(intent.id))
    if (accepted.length > 0) await forgetRefusals(db, { ids: accepted.map(({ intent }) => intent.id), token })
    const postponed = all.filter(({ status }) => status === 'postponed').map(({ intent }) => intent.id)
    if (postponed.length > 0) await postponeIntents(db, { ids: postponed, token })
    return { token, size: intents.length, ready: all.filter((one) => one.status === 'ready') }
  }

  const sendBatch = async (sender: SenderName, { token, ready }: Batch): Promise<void> => {
    if (ready.length === 0) return
    const signed = await store(sender, token, ready).catch(async (error: unknown) => {
      // Nothing was stored, so nothing can have been sent: the intents wait for the chain to be well again.
      await postponeIntents(db, { ids: ready.map(({ intent }) => intent.id), token })
      if (isWrongChain(error)) await alert('WRONG_CHAIN', { sender })
      throw error
    })
    await faults.reach('transaction.stored')
    const results = await Promise.all(signed.map(({ rawTransaction }) => relay.broadcast(rawTransaction)))
    for (const result of results) await report(sender, result)
    await faults.reach('transaction.sent')
    const nonces = signed.map(({ nonce }) => nonce)
    await markSent(
      db,
      { chainId, address: relay.addressOf(sender) },
      { nonces, dueAfterSeconds: settings.resendAfterSeconds },
    )
  }

  return {
    async submit(sender) {
      // They wait for the role to come back, or for a process that has the new operator's key.
      if (sender === 'operator' && !(await roles.isOperator())) return 0
      let batch = await prepareBatch(sender)
      let count = batch.size
      // Behind a full batch there are probably more: the next one is tried while this one goes out. Should this one fail,
      // the claim of the next runs out, as that of any worker that stopped in between.
      while (batch.size === settings.batchSize && count < MOST_AT_ONCE) {
        const [next] = await Promise.all([prepareBatch(sender), sendBatch(sender, batch)])
        batch = next
        count += next.size
      }
      await sendBatch(sender, batch)
      return count
    },
  }
}

const isWrongChain = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'WRONG_CHAIN'
