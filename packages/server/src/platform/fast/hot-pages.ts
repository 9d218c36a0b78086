import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../clock/clock.ts'
import { wantedForm } from '../http/forms/forms.ts'

interface HotPage {
  body: Buffer
  contentType: string
  staleAtMs: number
}

export interface HotPages {
  /** Forgets everything: the pages show something else now. */
  clear(): void
  /** When that was, by `performance.now()`: what is read must show everything that was committed before. */
  changedAtMs(): number
  install(http: FastifyInstance): void
}

const FRESH_MS = 1_000
const PAGE_LIMIT = 200

/**
 * Keeps the bytes of the pages that everyone asks for. They are sent behind all checks of the pipeline, in place of the
 * handler. A change in this process is seen at once, one in another process within a second.
 */
export function createHotPages({ clock, urls }: { clock: Clock; urls: RegExp }): HotPages {
  const pages = new Map<string, HotPage>()
  let version = 0
  let changedAtMs = Number.NEGATIVE_INFINITY
  /** Which requests will bring a page, and since which version they read. */
  const fetching = new WeakMap<FastifyRequest, { key: string; version: number }>()

  return {
    clear() {
      version += 1
      changedAtMs = performance.now()
      pages.clear()
    },

    changedAtMs: () => changedAtMs,

    install(http) {
      http.addHook('preHandler', (request, reply, done) => {
        const form = wantedForm(request.headers.accept)
        if (request.method !== 'GET' || form === undefined || !urls.test(request.url)) return done()
        const key = `${form} ${request.url}`
        const nowMs = clock.now().getTime()
        const page = pages.get(key)
        // Who has just written must see it, also where that was at another process.
        if (page && nowMs < page.staleAtMs && request.facts.mustShow === undefined) {
          reply.header('content-type', page.contentType).send(page.body)
          return
        }
        // One request fetches the page anew; those that come meanwhile get the old one for at most another second.
        if (page) page.staleAtMs = nowMs + FRESH_MS
        fetching.set(request, { key, version })
        done()
      })

      http.addHook('onSend', (request, reply, payload, done) => {
        const fetched = fetching.get(request)
        if (fetched?.version === version && reply.statusCode === 200 && typeof payload === 'string') {
          if (pages.size >= PAGE_LIMIT) pages.clear()
          pages.set(fetched.key, {
            body: Buffer.from(payload),
            contentType: String(reply.getHeader('content-type')),
            staleAtMs: clock.now().getTime() + FRESH_MS,
          })
        }
        done(null, payload)
      })
    },
  }
}
