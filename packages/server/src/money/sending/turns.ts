import type { SenderName } from '../../ports/chain/port.ts'

export const senders: readonly SenderName[] = ['operator', 'spender']

/** One batch at a time in this process: once it is out, nothing is held that is not stored. */
export function createTurns(submit: (sender: SenderName) => Promise<number>): () => Promise<number[]> {
  let sent: Promise<unknown> = Promise.resolve()
  return () => {
    const counts = sent.then(() => submitInTurn(submit))
    sent = counts.catch(() => undefined)
    return counts
  }
}

/** In a fixed order, so that a simulation can be repeated; one that fails does not keep the other from its turn. */
async function submitInTurn(submit: (sender: SenderName) => Promise<number>): Promise<number[]> {
  const turns: (() => Promise<number>)[] = []
  for (const sender of senders) {
    const [outcome] = await Promise.allSettled([submit(sender)])
    turns.push(async () => (outcome.status === 'fulfilled' ? outcome.value : Promise.reject(outcome.reason)))
  }
  return Promise.all(turns.map((turn) => turn()))
}
