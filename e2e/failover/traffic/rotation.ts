import { setTimeout as delay } from 'node:timers/promises'
import type { Service } from '../services/services.ts'
import { statusOf } from '../wait.ts'

type Api = Pick<Service, 'name' | 'url'>

/** As often as a balancer looks at `/health/ready`. A process that stops serves for longer than that after it has said so. */
const CHECK_MS = 500

export interface Rotation {
  /** False once the process has said that it is not ready, or no longer responds. */
  has(api: Api): boolean
  stop(): void
}

/** Which processes a balancer would send requests to. */
export function watchRotation(apis: readonly Api[]): Rotation {
  const out = new Set<string>()
  const ended = new AbortController()
  const watch = async ({ name, url }: Api): Promise<void> => {
    while (!ended.signal.aborted) {
      const status = await statusOf(`${url}/health/ready`).catch(() => undefined)
      if (status === 200) out.delete(name)
      else out.add(name)
      await delay(CHECK_MS, undefined, { signal: ended.signal }).catch(() => undefined)
    }
  }
  for (const api of apis) void watch(api)
  return { has: ({ name }) => !out.has(name), stop: () => ended.abort() }
}
