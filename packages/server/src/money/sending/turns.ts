import type { SenderName } from '../../ports/chain/port.ts'
import { allInTurn } from './settle.ts'

export const senders: readonly SenderName[] = ['operator', 'spender']

/** One batch at a time in this process: once it is out, nothing is held that is not stored. */
export function createTurns(submit: (sender: SenderName) => Promise<number>): () => Promise<number[]> {
  let sent: Promise<unknown> = Promise.resolve()
  return () => {
    const counts = sent.then(() => allInTurn(senders.map((sender) => () => submit(sender))))
    sent = counts.catch(() => undefined)
    return counts
  }
}
