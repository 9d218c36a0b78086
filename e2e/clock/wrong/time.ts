import { waitFor } from '../../failover/wait.ts'
import type { WrongClocks } from './cases.ts'
import type { FakeClock } from './clocks.ts'

/** The sandbox's clock goes so far in one step. */
const LONGEST_STEP_SECONDS = 31 * 24 * 3600
const AGREE_LIMIT_MS = 30_000
const AGREE_WITHIN_MS = 5_000

export interface Time {
  now(): Date
  /** Moves the chain, and every clock with it, each as wrong as it is. */
  advanceTo(time: Date): Promise<void>
  /** From now on the clocks go wrong like this. */
  setWrong(wrong: WrongClocks): void
  /** This process and the service have the right time. */
  untilRight(serviceUrl: string): Promise<void>
}

interface Deps {
  chainUrl: string
  clocks: { right: FakeClock; service: FakeClock; database: FakeClock }
}

/** The right time is that of the chain. This process goes by it as well. */
export function createTime({ chainUrl, clocks }: Deps): Time {
  let aheadSeconds = 0
  let wrong: WrongClocks = { service: 0, database: 0 }
  const realNow = (): number => performance.timeOrigin + performance.now()
  const now = (): Date => new Date(realNow() + aheadSeconds * 1000)

  const setClocks = (): void => {
    clocks.right.set(aheadSeconds)
    clocks.service.set(aheadSeconds + wrong.service)
    clocks.database.set(aheadSeconds + wrong.database)
  }

  async function advance(advanceSeconds: number): Promise<void> {
    const response = await fetch(`${chainUrl}/api/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceSeconds }),
    })
    if (!response.ok) throw new Error(`the clock returned ${response.status}: ${await response.text()}`)
    const { data } = (await response.json()) as { data: { offsetSeconds: number } }
    aheadSeconds = data.offsetSeconds
    setClocks()
  }

  return {
    now,
    async advanceTo(time) {
      for (;;) {
        const leftSeconds = Math.ceil((time.getTime() - now().getTime()) / 1000)
        if (leftSeconds <= 0) return
        await advance(Math.min(leftSeconds, LONGEST_STEP_SECONDS))
      }
    },
    setWrong(next) {
      wrong = next
      setClocks()
    },
    untilRight: (serviceUrl) =>
      waitFor('the clocks to agree', AGREE_LIMIT_MS, async () => {
        const response = await fetch(`${serviceUrl}/health/live`)
        await response.arrayBuffer()
        const times = [Date.now(), Date.parse(response.headers.get('date') ?? '')]
        return times.every((time) => Math.abs(time - now().getTime()) < AGREE_WITHIN_MS)
      }).then(() => undefined),
  }
}
