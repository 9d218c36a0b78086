import type { BlockHeader, ChainReader } from '../../ports/chain/port.ts'
import type { ClaimedIntent } from '../intents/intent-store.ts'
import type { Intent } from '../intents/intents.ts'
import type { MoneyDeps } from '../money-deps.ts'

/** What becomes of an intent whose trial was refused. */
export type Weighed =
  | { intent: Intent; status: 'rejected'; reason: string }
  | { intent: Intent; status: 'refused'; refusals: number; block: bigint; hash: string; refusal: string }
  | { intent: Intent; status: 'postponed' }

export interface Refused {
  reason: string
  /** What it is known by when it comes again; the reason itself unless said otherwise. */
  refusal?: string
}

interface RefusalsDeps extends Pick<MoneyDeps, 'log' | 'settings'> {
  reader: Pick<ChainReader, 'getBlock'>
}

/**
 * A node that lags, or is wrong once, refuses what the chain would take: only later blocks make a refusal count, and only
 * the same one. Two that contradict each other do not add up.
 */
export function createRefusals({ reader, log, settings }: RefusalsDeps) {
  /** What a block refused that a fork has taken away says nothing about this chain. */
  const doesStand = async ({ refusedBlock, refusedHash }: ClaimedIntent): Promise<boolean> =>
    refusedBlock !== null && (await reader.getBlock(refusedBlock))?.hash === refusedHash

  return {
    async weigh(
      claimed: ClaimedIntent,
      head: BlockHeader | undefined,
      { reason, refusal = reason }: Refused,
    ): Promise<Weighed> {
      const intent = intentOf(claimed)
      if (settings.agreeingResponses === 1) return { intent, status: 'rejected', reason }
      const { refusals, refusedBlock } = claimed
      if (head === undefined || (refusedBlock !== null && head.number <= refusedBlock)) {
        return { intent, status: 'postponed' }
      }
      const isSame = refusals > 0 && claimed.refusal === refusal
      const count = isSame && (await doesStand(claimed)) ? refusals + 1 : 1
      if (count >= settings.agreeingResponses) return { intent, status: 'rejected', reason }
      log.warn({ reason, intentId: intent.id, count }, 'a trial was refused; a later block has to confirm it')
      return { intent, status: 'refused', refusals: count, block: head.number, hash: head.hash, refusal }
    },
  }
}

export const intentOf = ({
  attempts: _attempts,
  refusals: _refusals,
  refusedBlock: _block,
  refusedHash: _hash,
  refusal: _refusal,
  ...intent
}: ClaimedIntent): Intent => intent

/** Their first argument is the time of the block, which is another one with every block. */
const saysTheTime = new Set(['TooEarly', 'TooLate', 'BeforeSpendPermissionStart', 'AfterSpendPermissionEnd'])

/** The error with its arguments: the same error about another state is another refusal. */
export const refusalOf = ({ reason, args }: { reason: string; args: readonly unknown[] }): string =>
  [reason, ...args.slice(saysTheTime.has(reason) ? 1 : 0).map(String)].join(' ')
