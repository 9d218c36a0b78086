import { type DestinationStream, type Logger, pino } from 'pino'
import { createPages } from '../fast/line-pages.ts'
import { createLogFile } from './log-file.ts'
import type { Scrub } from './scrub.ts'

export type Log = Logger

/** Whatever carries these names is a secret or personal: it never reaches a log line, at any depth that we log. */
const secretNames = [
  'authorization',
  'cookie',
  'signature',
  'token',
  'csrfToken',
  'nonce',
  'email',
  'ein',
  'phoneNumber',
  'legalAddress',
  'privateKey',
  'secret',
  'password',
]

const redactedPaths = secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`])

export interface LogOptions {
  level: string
  /** Where the lines go; the standard output by default. Tests hand in a stream of their own. */
  destination?: DestinationStream
  /** Takes configured secrets out of what is written. The access log holds none and goes without. */
  scrub?: Scrub
  /** A file in place of the standard output. */
  fd?: number
}

export interface Logs {
  log: Log
  /**
   * For the line per request (access-log.ts). Its fields are chosen by hand in one place and hold nothing secret, so it
   * goes without the search for secrets, which costs as much as the rest of the request's way through the server.
   */
  accessLog: Log
  flush(): void
}

const FLUSH_INTERVAL_MS = 500

/** Lines are written in pages, or twice a second: a line per request must not cost a write per request. */
export function createLog({ level, destination, scrub, fd = 1 }: LogOptions): Logs {
  if (destination) return { ...createLoggers({ level, scrub }, destination), flush: () => {} }
  const pages = createPages(createLogFile(fd))
  setInterval(pages.flush, FLUSH_INTERVAL_MS).unref()
  process.once('beforeExit', pages.flush)
  process.once('exit', pages.flushSync)
  return { ...createLoggers({ level, scrub }, pages), flush: pages.flushSync }
}

function createLoggers(
  { level, scrub }: { level: string; scrub: Scrub | undefined },
  destination: DestinationStream,
): { log: Log; accessLog: Log } {
  const scrubbed = scrub ? { write: (line: string) => destination.write(scrub(line)) } : destination
  const options = { level, base: null }
  return {
    log: pino({ ...options, redact: { paths: redactedPaths, censor: '[redacted]' } }, scrubbed),
    accessLog: pino(options, destination),
  }
}
