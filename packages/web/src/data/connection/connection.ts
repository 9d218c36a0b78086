/** Whether the service can be reached. Every call of the page goes through `fetch`, which notices when no response comes. */
export interface Connection {
  isUp: () => boolean
  /** More was asked than the service takes in a minute: what was refused is asked again when it says. */
  isSlowed: () => boolean
  subscribe: (onChange: () => void) => () => void
  /** Resolves as soon as the service responds: at once when it does now. */
  untilUp: () => Promise<void>
  fetch: typeof fetch
  /** Looks now: the browser has said that its network came or went, or something could not be loaded. */
  check: () => Promise<boolean>
}

interface ConnectionDeps {
  fetch: typeof fetch
  isOnline: () => boolean
  sleep: (durationMs: number) => Promise<void>
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 4_000
const LOOK_WITHIN_MS = 5_000
/** What a proxy says in place of a service that is gone, and what a service says that is about to go or has just come. */
const ABSENT = [502, 503, 504]

export function createConnection({ fetch, isOnline, sleep }: ConnectionDeps): Connection {
  const listeners = new Set<() => void>()
  let isUp = true
  let refusals = 0
  let checking: Promise<boolean> | undefined
  let recovering: Promise<void> | undefined

  const notify = (): void => {
    for (const listener of listeners) listener()
  }

  const set = (next: boolean): void => {
    if (next === isUp) return
    isUp = next
    notify()
  }

  const slow = async (seconds: number): Promise<void> => {
    refusals += 1
    notify()
    await sleep(seconds * 1_000)
    refusals -= 1
    notify()
  }

  const look = async (): Promise<boolean> => {
    if (!isOnline()) return false
    try {
      return (await fetch('/health/ready', { signal: AbortSignal.timeout(LOOK_WITHIN_MS) })).ok
    } catch {
      return false
    }
  }

  const recover = async (): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
      await sleep(pauseMs)
      if (await look()) break
    }
    recovering = undefined
    set(true)
  }

  const check = (): Promise<boolean> => {
    checking ??= look().then((responses) => {
      checking = undefined
      set(responses)
      if (!responses) recovering ??= recover()
      return responses
    })
    return checking
  }

  return {
    isUp: () => isUp,
    isSlowed: () => refusals > 0,
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    untilUp: async () => {
      if (!(await check())) await recovering
    },
    check,
    fetch: async (input, init) => {
      try {
        const response = await fetch(input, init)
        if (ABSENT.includes(response.status)) check()
        if (response.status === 429) void slow(Number(response.headers.get('retry-after')) || 1)
        return response
      } catch (error) {
        if (!init?.signal?.aborted) check()
        throw error
      }
    },
  }
}

/** The one connection of this page. */
export const connection = createConnection({
  fetch: (input, init) => fetch(input, init),
  isOnline: () => navigator.onLine,
  sleep: (durationMs) => new Promise((resolve) => setTimeout(resolve, durationMs)),
})

/** Something would have been changed while the service cannot be reached: it is refused before anybody signs. */
export class UnreachableError extends Error {}
