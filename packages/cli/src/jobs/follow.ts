import { setTimeout as pause } from 'node:timers/promises'
import type { JobDetail, MarketplaceClient } from '@agent-marketplace/sdk'
import { oneLine } from '../output/printable.ts'

/** Where news do not wake it, such as what the user does elsewhere, it looks this often. */
const LONGEST_PAUSE_MS = 5_000

const isOpen = ({ status }: JobDetail): boolean => status === 'PENDING' || status === 'IN_PROGRESS'

/** Follows a job until it is delivered or over, and notes every step on the way. */
export async function followJob(
  marketplace: MarketplaceClient,
  jobId: string,
  note: (text: string) => void,
  signal: AbortSignal,
): Promise<JobDetail> {
  const seen = new Set<string>()
  const stop = new AbortController()
  const untilNews = wakeUps(marketplace, AbortSignal.any([signal, stop.signal]))
  try {
    for (let status = ''; ; ) {
      const job = await marketplace.getJob(jobId, { signal })
      for (const line of await newSteps(marketplace, jobId, seen, signal)) note(line)
      if (job.status !== status) note(`${oneLine(job.title)}: ${job.status}`)
      status = job.status
      if (!isOpen(job)) return job
      await untilNews(LONGEST_PAUSE_MS)
    }
  } finally {
    stop.abort()
  }
}

async function newSteps(
  marketplace: MarketplaceClient,
  jobId: string,
  seen: Set<string>,
  signal: AbortSignal,
): Promise<string[]> {
  const { data } = await marketplace.call('listJobProgress', { params: { id: jobId }, signal })
  const fresh = data.filter(({ id }) => !seen.has(id))
  for (const { id } of fresh) seen.add(id)
  return fresh.map(({ step, percent, note }) =>
    [percent === null ? '' : `${percent}%`, oneLine(step, 120), note === null ? '' : oneLine(note, 200)]
      .filter((part) => part !== '')
      .join(' '),
  )
}

/** Resolves at the next notification, or after a while. A notification that came between two waits ends the second. */
function wakeUps(marketplace: MarketplaceClient, signal: AbortSignal) {
  const feed = marketplace.streamNotifications({ signal })
  let coming: Promise<void> | undefined
  const listen = async (): Promise<void> => {
    // Without the feed it still looks every few seconds.
    const { done } = await feed.next().catch(() => ({ done: true }))
    if (!done) coming = undefined
    else await new Promise(() => {})
  }
  return async (longestMs: number): Promise<void> => {
    coming ??= listen()
    const end = new AbortController()
    const timer = pause(longestMs, undefined, { signal: AbortSignal.any([signal, end.signal]) })
    try {
      await Promise.race([coming, timer])
    } finally {
      end.abort()
      timer.catch(() => {})
    }
  }
}
