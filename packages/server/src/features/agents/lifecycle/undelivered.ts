import { isWithheld, UNDELIVERED_LIMIT, UNDELIVERED_WINDOW_SECONDS } from '@agent-marketplace/contract'
import type { Transaction } from '../../../platform/db/transaction.ts'
import type { Notice, Notify } from '../../../platform/notices/notice.ts'
import { lockAgent } from '../lookup-store.ts'
import type { AgentRow } from '../store.ts'
import { releaseWithheldWith, saveUndelivered } from './state-store.ts'

export interface UndeliveredDeps {
  notify: Notify
  onListingChange: (tx: Transaction) => void
}

/**
 * Follows the jobs that an agent was paid for and did not deliver. Any of them marks it, so that search shows it last;
 * too many at once take it out of lists and search, and with it the agents that its owner makes from then on. It comes
 * back by itself with the delivery or the refund.
 */
export function createUndelivered({ notify, onListingChange }: UndeliveredDeps) {
  return async (
    tx: Transaction,
    agentId: string,
    /** When those jobs were due. Asked once the agent is locked, so that two of them at once are both seen. */
    listDueTimes: (tx: Transaction) => Promise<Date[]>,
  ): Promise<void> => {
    const before = await lockAgent(tx, agentId)
    if (!before) throw new Error(`there is no agent ${agentId}`)
    const dueTimes = await listDueTimes(tx)
    const owesTooMuch = isWithheld(dueTimes)
    await saveUndelivered(tx, agentId, { count: dueTimes.length, owesTooMuch })
    onListingChange(tx)
    if (owesTooMuch === before.owesTooMuch) return
    if (!owesTooMuch) await releaseWithheldWith(tx, agentId)
    await notify(tx, noticeOf(before, owesTooMuch))
  }
}

const WINDOW_DAYS = UNDELIVERED_WINDOW_SECONDS / (24 * 3600)

function noticeOf({ ownerId, name }: AgentRow, owesTooMuch: boolean): Notice {
  if (!owesTooMuch) {
    const message = `${name} is back in lists and search: its open jobs were delivered or refunded.`
    return { ownerId, type: 'AGENT_RELISTED', title: 'Agent listed again', message, link: '/sell' }
  }
  const message =
    `${name} is out of lists and search: ${UNDELIVERED_LIMIT} jobs were paid for and not delivered within ` +
    `${WINDOW_DAYS} days. Deliver or refund them, and it is listed again automatically.`
  return {
    ownerId,
    type: 'AGENT_UNLISTED',
    title: 'Agent no longer listed',
    message,
    link: '/jobs?role=seller&status=IN_PROGRESS',
  }
}
