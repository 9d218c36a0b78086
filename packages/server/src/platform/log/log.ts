import { type DestinationStream, type Logger, pino } from 'pino'

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
  /** Where the lines go; a file descriptor by default. Tests hand in a stream of their own. */
  destination?: DestinationStream
}

export interface Logs {
  log: Log
  /**
   * For the line per request. Its fields are chosen by hand in one place and hold nothing secret, so it goes without the
   * search for secrets, which costs as much as the rest of the request's way through the server.
   */
  accessLog: Log
  flush(): void
}

/** Lines are collected and written in batches of 4 kB, or twice a second: a line per request must not cost a write per request. */
export function createLog({ level, destination }: LogOptions): Logs {
  if (destination) return { ...createLoggers(level, destination), flush: () => {} }
  const stdout = pino.destination({ fd: 1, sync: false, minLength: 4096 })
  setInterval(() => stdout.flush(), 500).unref()
  return {
    ...createLoggers(level, stdout),
    flush: () => {
      // The stream may not be open yet when a start fails in its first moments; there is nothing to flush then.
      try {
        stdout.flushSync()
      } catch {}
    },
  }
}

function createLoggers(level: string, destination: DestinationStream): { log: Log; accessLog: Log } {
  const options = { level, base: null }
  return {
    log: pino({ ...options, redact: { paths: redactedPaths, censor: '[redacted]' } }, destination),
    accessLog: pino(options, destination),
  }
}
