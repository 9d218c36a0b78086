import { setTimeout as delay } from 'node:timers/promises'

const PAUSE_MS = 100

/** Asks again until there is something, within a limit. */
export async function waitFor<T>(
  what: string,
  limitMs: number,
  ask: () => Promise<T | undefined | false>,
): Promise<T> {
  const deadline = performance.now() + limitMs
  for (;;) {
    const found = await ask().catch(() => undefined)
    if (found !== undefined && found !== false) return found
    if (performance.now() > deadline) throw new Error(`waited ${limitMs / 1000} s for ${what}`)
    await delay(PAUSE_MS)
  }
}

/** Fails when the work takes longer; what it was doing is not undone. */
export async function within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
  const limit = delay(limitMs, undefined, { ref: false }).then(() => {
    throw new Error(`waited ${limitMs / 1000} s for ${what}`)
  })
  return Promise.race([work, limit])
}

/** The JSON of a GET, whatever its status. */
export async function readJson<T>(url: string, limitMs = 2_000): Promise<T> {
  const response = await fetch(url, { signal: AbortSignal.timeout(limitMs) })
  return (await response.json()) as T
}

export async function statusOf(url: string, limitMs = 2_000): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(limitMs) })
  await response.arrayBuffer()
  return response.status
}
