import { setTimeout as delay } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Service } from '../services/services.ts'
import type { Door } from './door.ts'

const EVERY_MS = 200
const LIMIT_MS = 15_000

interface Attempt {
  sentAtMs: number
  doneAtMs: number
  isDone: boolean
}

export interface Probe {
  /** The longest time without an acknowledged write since this moment, and the slowest failure in it. */
  since(startMs: number): { outageMs: number; slowestFailureMs: number }
  /** Whether a write that was sent after this moment is acknowledged. */
  hasWrittenSince(startMs: number): boolean
  /** Everything that was acknowledged. */
  nonces: ReadonlySet<string>
  stop(): Promise<void>
}

/**
 * Writes one small row through each API process, five times a second, and notes what became of it. A write that is
 * acknowledged has reached the primary, and in strict mode a standby.
 */
export function startProbe(apis: readonly Service[], door: Door): Probe {
  const attempts: Attempt[] = []
  const nonces = new Set<string>()
  const wallets = Array.from({ length: 20 }, () => privateKeyToAddress(generatePrivateKey()))
  let isOver = false
  let count = 0

  async function write(api: Service): Promise<boolean> {
    count += 1
    const response = await door.sendTo(
      api,
      // Each from an address of its own: the limits are by address.
      addressOf(count),
      '/api/auth/request-nonce',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ walletAddress: wallets[count % wallets.length] }),
        signal: AbortSignal.timeout(LIMIT_MS),
      },
    )
    if (!response.ok) return false
    const { data } = (await response.json()) as { data: { nonce: string } }
    nonces.add(data.nonce)
    return true
  }
  async function attempt(api: Service): Promise<void> {
    const sentAtMs = performance.now()
    const isDone = await write(api).catch(() => false)
    attempts.push({ sentAtMs, doneAtMs: performance.now(), isDone })
  }
  const running = apis.map(async (api) => {
    const open = new Set<Promise<void>>()
    while (!isOver) {
      const one: Promise<void> = attempt(api).finally(() => open.delete(one))
      open.add(one)
      await delay(EVERY_MS)
    }
    await Promise.all(open)
  })

  return {
    since(startMs) {
      const later = attempts.filter(({ doneAtMs }) => doneAtMs >= startMs)
      const done = later.filter(({ isDone }) => isDone).map(({ doneAtMs }) => doneAtMs)
      const gaps = [startMs, ...done.toSorted((a, b) => a - b)].map(
        (at, index, all) => (all[index + 1] ?? at) - at,
      )
      const failures = later
        .filter(({ isDone }) => !isDone)
        .map(({ sentAtMs, doneAtMs }) => doneAtMs - sentAtMs)
      return { outageMs: Math.max(0, ...gaps), slowestFailureMs: Math.max(0, ...failures) }
    },
    nonces,
    hasWrittenSince: (startMs) => attempts.some(({ isDone, sentAtMs }) => isDone && sentAtMs > startMs),
    async stop() {
      isOver = true
      await Promise.all(running)
    },
  }
}

const addressOf = (count: number): string => `10.100.${(count >> 8) & 255}.${count & 255}`
