import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock/clock.ts'
import { wantedForm } from '../http/forms/forms.ts'

interface HotPage {
  body: Buffer
  contentType: string
  /** When reading it began. */
  readAtMs: number
}

/** A page under way. */
interface Reading {
  key: string
  startedMs: number
  /** Resolves with undefined where the request that was to bring the page failed. */
  arrival: PromiseWithResolvers<HotPage | undefined>
}

export interface HotPages {
  /** Forgets everything: the pages show something else now. */
  clear(): void
  /** When that was, by `performance.now()`: what is read must show everything that was committed before. */
  changedAtMs(): number
  install(http: FastifyInstance): void
}

interface HotPagesOptions {
  clock: Clock
  urls: RegExp
  /** Beyond this the oldest pages go. */
  maxBytes?: number
}

const FRESH_MS = 1_000
/** How old a page is at most that is sent while it is read again, and how long a reading is waited for. */
const MAX_AGE_MS = 5_000
/** Where so many are being read, the database is slow, and no further page is read before it is too old to be sent. */
const READINGS_AT_ONCE = 4
const MAX_BYTES = 16 * 1024 * 1024

/**
 * Keeps the bytes of the pages that everyone asks for. They are sent behind all checks of the pipeline, in place of the
 * handler. A change in this process is seen at once, one in another process within a second: then one request reads the
 * page again. Those that come meanwhile get the old one, for a few seconds more where the database is slow; where there is
 * none they wait for the new one.
 */
export function createHotPages({ clock, urls, maxBytes = MAX_BYTES }: HotPagesOptions): HotPages {
  /** In the order in which they came. */
  const pages = new Map<string, HotPage>()
  let bytes = 0
  const readings = new Map<string, Reading>()
  /** Which requests will bring a page. */
  const fetching = new WeakMap<FastifyRequest, Reading>()
  let changedAtMs = Number.NEGATIVE_INFINITY

  /** Endless where the clock was put back since: nobody knows how long ago that is. */
  const ageOf = (sinceMs: number): number => {
    const ageMs = clock.now().getTime() - sinceMs
    return ageMs < 0 ? Number.POSITIVE_INFINITY : ageMs
  }

  function begin(key: string): Reading {
    const arrival = Promise.withResolvers<HotPage | undefined>()
    const reading = { key, startedMs: clock.now().getTime(), arrival }
    readings.set(key, reading)
    return reading
  }

  /** A reading that began before a change is nobody's any more but of those who wait for it. */
  function complete(reading: Reading, page: HotPage | undefined): void {
    reading.arrival.resolve(page)
    if (readings.get(reading.key) !== reading) return
    readings.delete(reading.key)
    if (page) keep(reading.key, page)
  }

  function keep(key: string, page: HotPage): void {
    drop(key)
    pages.set(key, page)
    bytes += bytesOf(key, page)
    for (const [oldest, { readAtMs }] of pages) {
      if (bytes <= maxBytes && ageOf(readAtMs) < MAX_AGE_MS) return
      drop(oldest)
    }
  }

  function drop(key: string): void {
    const page = pages.get(key)
    if (page) bytes -= bytesOf(key, page)
    pages.delete(key)
  }

  return {
    clear() {
      changedAtMs = performance.now()
      pages.clear()
      readings.clear()
      bytes = 0
    },

    changedAtMs: () => changedAtMs,

    install(http) {
      http.addHook('preHandler', (request, reply, done) => {
        const form = wantedForm(request.headers.accept)
        if (request.method !== 'GET' || form === undefined || !urls.test(request.url)) return done()
        const key = `${form} ${request.url}`
        const page = pages.get(key)
        const reading = readings.get(key)
        const isUnderWay = reading !== undefined && ageOf(reading.startedMs) < MAX_AGE_MS
        const maxAgeMs = isUnderWay || readings.size >= READINGS_AT_ONCE ? MAX_AGE_MS : FRESH_MS
        const isKept = page !== undefined && ageOf(page.readAtMs) < maxAgeMs
        // Who has just written must see it, also where that was at another process.
        if (request.facts.mustShow !== undefined || !(isUnderWay || isKept)) {
          fetching.set(request, begin(key))
          return done()
        }
        if (isKept) return send(reply, page)
        // Where that request fails, everyone reads for himself.
        void reading?.arrival.promise.then((arrived) => (arrived ? send(reply, arrived) : done()))
      })

      http.addHook('onSend', (request, reply, payload, done) => {
        const reading = fetching.get(request)
        if (reading) complete(reading, pageOf(reply, payload, reading.startedMs))
        done(null, payload)
      })
    },
  }
}

function pageOf(reply: FastifyReply, payload: unknown, readAtMs: number): HotPage | undefined {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return undefined
  return { body: Buffer.from(payload), contentType: String(reply.getHeader('content-type')), readAtMs }
}

function send(reply: FastifyReply, { body, contentType }: HotPage): void {
  reply.header('content-type', contentType).send(body)
}

const bytesOf = (key: string, { body }: HotPage): number => 2 * key.length + body.length
