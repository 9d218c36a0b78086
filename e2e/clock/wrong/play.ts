import { enlarge } from '../../failover/traffic/deals.ts'
import { createDoor, type Door } from '../../failover/traffic/door.ts'
import { createPair } from '../../failover/traffic/people.ts'
import { waitFor } from '../../failover/wait.ts'
import { tellUntilDelivered } from '../../steady/story.ts'
import type { Case } from './cases.ts'
import { judge, type Ledger, type Verdict, type Waiting } from './judge.ts'
import type { Setting } from './setting.ts'

const PRICE_MICRO = 150_000_000n
const DAY_SECONDS = 24 * 3600
/** More than any clock here is wrong. */
const BETWEEN_SECONDS = DAY_SECONDS + 3600
const BEFORE_SECONDS = 300
/** A clock that is a day behind makes everything a day late. */
const AFTER_SECONDS = DAY_SECONDS + 600
const HAPPENS_LIMIT_MS = 120_000

export interface Played {
  verdicts: Verdict[]
  /** Responses that no client should get. */
  problems: string[]
}

/**
 * Two sellers deliver and subscribe, 25 hours apart, and the clocks go wrong. Shortly before the second falls due, the
 * first must be paid, which shows that the service has looked; the second must be paid after it was due, and once.
 */
export async function play(one: Case, number: number, setting: Setting, ledger: Ledger): Promise<Played> {
  const { time, outside } = setting
  await time.advanceTo(beginningOf(one, time.now()))
  const { service, stop } = await setting.start(one.timeZone)
  const door = createDoor([service])

  async function prepare(index: 0 | 1): Promise<Waiting> {
    await time.untilRight(service.url)
    return deliverAndSubscribe(door, outside, 2 * number + index)
  }
  const first = await prepare(0)
  await time.advanceTo(secondsAfter(time.now(), BETWEEN_SECONDS))
  const second = await prepare(1)

  time.setWrong(one.wrong)
  // What one look at the clock has decided is sent together; time goes on when all of it has arrived.
  const released = (waiting: Waiting) => async () =>
    (await ledger.releases(waiting)).length > 0 && setting.isAllPaid()
  const renewed = (waiting: Waiting) => async () =>
    (await ledger.renewals(waiting)).length > 0 && setting.isAllPaid()
  await time.advanceTo(secondsAfter(second.releaseDueAt, -BEFORE_SECONDS))
  await happens('the first release', released(first))
  await time.advanceTo(secondsAfter(second.releaseDueAt, AFTER_SECONDS))
  await happens('the second release', released(second))
  await time.advanceTo(secondsAfter(second.pullDueAt, -BEFORE_SECONDS))
  await happens('the first renewal', renewed(first))
  await time.advanceTo(secondsAfter(second.pullDueAt, AFTER_SECONDS))
  await happens('the second renewal', renewed(second))
  time.setWrong({ service: 0, database: 0 })
  await stop()

  return {
    verdicts: [await judge(ledger, first), await judge(ledger, second)],
    problems: door.problems,
  }
}

async function deliverAndSubscribe(
  door: Door,
  outside: Setting['outside'],
  number: number,
): Promise<Waiting> {
  const pair = await createPair({ door, outside, number })
  const { buyer, seller } = pair.cast
  const { jobId } = await tellUntilDelivered(pair.cast, PRICE_MICRO)
  const releaseDueAt = await happens('the review to begin', async () => {
    const { body } = await buyer.get(`/api/jobs/${jobId}`)
    return body.data.reviewEndsAt ?? undefined
  })
  await enlarge(pair)
  const pullDueAt = await happens('the plan', async () => {
    const { body } = await seller.get('/api/owners/subscription')
    return body.data.status === 'ACTIVE' && (body.data.nextEligibleAt ?? undefined)
  })
  return { pair, releaseDueAt: new Date(releaseDueAt), pullDueAt: new Date(pullDueAt) }
}

/** A first seller that is not paid is a finding as well: the case ends there. */
function happens<T>(what: string, ask: () => Promise<T | undefined | false>): Promise<T> {
  return waitFor(what, HAPPENS_LIMIT_MS, ask)
}

const secondsAfter = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000)

function beginningOf({ beginsOn }: Case, after: Date): Date {
  for (let day = after; ; day = secondsAfter(day, DAY_SECONDS)) if (beginsOn(day)) return day
}
