import { createLoop, type Loop } from './loop.ts'
import type { MoneyDeps } from './money-deps.ts'

/** One turn of each part of the engine; true when there may be more to do at once. */
interface Turns {
  send: () => Promise<boolean>
  index: () => Promise<boolean>
  lookAfter: () => Promise<boolean>
  takeUp: () => Promise<boolean>
  mend: () => Promise<boolean>
}

/** The engine's loops, and which of them wakes which. */
export function createEngineLoops({ settings, log, alert }: MoneyDeps, turns: Turns) {
  const { pollMs } = settings
  const loopOf = (name: string, pauseMs: number, turn: () => Promise<boolean>): Loop =>
    createLoop({
      name,
      pollMs: pauseMs,
      log,
      turn,
      onStuck: (error) => alert('LOOP_FAILING', { loop: name, error: String(error) }),
    })

  const sending = loopOf('relayer', pollMs, turns.send)
  const indexing = loopOf('indexer', pollMs, async () => {
    const hasMoved = await turns.index()
    // An outcome may open the lane of the next intent, and a reorganisation leaves bytes to send again.
    if (hasMoved) sending.wake()
    return hasMoved
  })
  // What it sent again needs time to be heard of: it never has reason to go round at once.
  const resending = loopOf('resender', pollMs * 5, async () => {
    if (await turns.lookAfter()) indexing.wake()
    return false
  })
  const following = loopOf('follower', pollMs, turns.takeUp)
  const mending = loopOf('mender', pollMs * 5, turns.mend)
  return { sending, indexing, following, all: [sending, indexing, resending, following, mending] }
}
