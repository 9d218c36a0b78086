import type { BroadcastResult, Hex, SenderName } from '../../ports/chain/port.ts'
import {
  claimIntents,
  forgetRefusals,
  noteRefusals,
  postponeIntents,
  rejectPendingIntent,
} from '../intents/intent-store.ts'
import type { Intent } from '../intents/intents.ts'
import type { MoneyDeps } from '../money-deps.ts'
import { createRoles } from '../roles/roles.ts'
import { settleAtOnce, settleInTurn } from './settle.ts'
import { agreeOnNonce, introduceSigner, isSignerKnown, type Signer, takeNonces } from './signer-store.ts'
import { markSent, storeTransactions } from './transaction-store.ts'
import { createTrials, type Tried } from './trials.ts'

/** So many intents at most before others get their turn, and before the engine can stop. */
const MOST_AT_ONCE = 1_000

export interface Relayer {
  /** Sends out the pending intents of this sender, batch after batch; returns how many it dealt with. */
  submit(sender: SenderName): Promise<number>
}

/** Signed bytes that are known, and may be sent. */
interface Stored {
  nonce: number
  rawTransaction: Hex
}

interface Batch {
  token: bigint
  /** How many were claimed. */
  size: number
  ready: Extract<Tried, { status: 'ready' }>[]
}

/**
 * Turns pending intents into transactions. A nonce is taken in the same database transaction that stores the signed
 * bytes, before anything is sent: so nothing is sent that is not known, and whatever is known can be sent again.
 */
export function createRelayer(deps: MoneyDeps): Relayer {
  const { db, chain, kinds, log, alert, faults, settings } = deps
  const roles = createRoles(db, chain)
  const { relay, reader } = chain
  const { chainId } = chain.facts
  const tryAll = createTrials(deps)
  const settle = settings.overlapsBatches ? settleAtOnce : settleInTurn

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
  const store = async (sender: SenderName, { token, ready }: Batch): Promise<Stored[]> => {
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

    const all = await tryAll(intents)
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

  const putOff = ({ token, ready }: Batch): Promise<void> =>
    postponeIntents(db, { ids: ready.map(({ intent }) => intent.id), token })

  const storeBatch = async (sender: SenderName, batch: Batch): Promise<Stored[]> => {
    if (batch.ready.length === 0) return []
    const stored = await store(sender, batch).catch(async (error: unknown) => {
      // Nothing was stored, so nothing can have been sent: the intents wait for the chain to be well again.
      await putOff(batch)
      if (isWrongChain(error)) await alert('WRONG_CHAIN', { sender })
      throw error
    })
    await faults.reach('transaction.stored')
    return stored
  }

  const send = async (sender: SenderName, stored: readonly Stored[]): Promise<void> => {
    if (stored.length === 0) return
    const results = await Promise.all(stored.map(({ rawTransaction }) => relay.broadcast(rawTransaction)))
    for (const result of results) await report(sender, result)
    await faults.reach('transaction.sent')
    const nonces = stored.map(({ nonce }) => nonce)
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
      let stored: Stored[] = []
      for (let count = batch.size; ; count += batch.size) {
        // Behind a full batch there are probably more: while one goes out, the next is stored, and the one after it tried. Should
        // one fail, those that were tried behind it are put off: nobody waits for their claims to run out.
        const hasMore = batch.size === settings.batchSize && count < MOST_AT_ONCE
        const [sending, storing, trying] = await settle([
          () => send(sender, stored),
          () => storeBatch(sender, batch),
          async () => (hasMore ? prepareBatch(sender) : undefined),
        ])
        const steps = [storing, trying, sending]
        const hasFailed = steps.some(({ status }) => status === 'rejected')
        stored = storing.status === 'fulfilled' ? storing.value : []
        const next = trying.status === 'fulfilled' ? trying.value : undefined
        if (!hasFailed && next) {
          batch = next
          continue
        }
        const ends = await Promise.allSettled([send(sender, stored), next && putOff(next)])
        const failure = [...steps, ...ends].find((step) => step.status === 'rejected')
        if (failure) throw failure.reason
        return count
      }
    },
  }
}

const isWrongChain = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'WRONG_CHAIN'
