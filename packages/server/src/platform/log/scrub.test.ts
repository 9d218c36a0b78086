import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../config/read-config.ts'
import { type Setting, settings } from '../../config/settings.ts'
import { createLog, type Log } from './log.ts'
import { createScrub } from './scrub.ts'

const secretNames = (Object.entries(settings) as [string, Setting][])
  .filter(([, { secret }]) => secret)
  .map(([name]) => name)

const protocols: Record<string, string> = {
  DATABASE_URL: 'postgres',
  DATABASE_REPLICA_URLS: 'postgres',
  REDIS_URL: 'redis',
}

/** Values that can be found again, in the shape that the setting has. */
const canariesOf = (name: string): string[] => {
  const word = `canary${name.toLowerCase().replaceAll('_', '')}9f8e7d6c`
  if (!/_URLS?$/.test(name)) return [`${word}-${'kT9vQx2LmN7wRz4P'}`]
  const address = (host: string) =>
    `${protocols[name] ?? 'https'}://user:pass${word}${host}@${host}.example/v2/path${word}?key=query${word}`
  return name.endsWith('S') ? [address('host'), address('other')] : [address('host')]
}

/** Files are kept in one place, so not every setting can be there at once: Kubo's or those of S3. */
const environmentWith = (name: string) => ({
  ...Object.fromEntries(
    secretNames
      .filter((other) => !other.startsWith(name.startsWith('S3_') ? 'KUBO_' : 'S3_'))
      .map((other) => [other, canariesOf(other).join(',')]),
  ),
  ...(name.startsWith('S3_') ? { S3_URL: 'https://s3.example', S3_BUCKET: 'files' } : {}),
  MODE: 'production',
  PUBLIC_URL: 'https://market.example',
  CHAIN_ID: '8453',
  ESCROW_ADDRESS: `0x${'12'.repeat(20)}`,
  ESCROW_START_BLOCK: '1',
})
let lines: string[]
beforeEach(() => {
  lines = []
})
afterEach(() => expect(lines.join('')).not.toMatch(/canary/i))

function createTestLog(name: string) {
  const scrub = createScrub(readConfig(environmentWith(name)).secrets)
  return createLog({ level: 'debug', scrub, destination: { write: (line) => void lines.push(line) } }).log
}

test.each(secretNames)('%s reaches no line, wherever an error has it', (name) => {
  const log = createTestLog(name)
  for (const secret of canariesOf(name)) mention(log, name, secret)
  expect(lines.length).toBeGreaterThan(2)
})

function mention(log: Log, name: string, secret: string): void {
  const deepest = new Error(`fetch failed: ${secret}`)
  const middle = Object.assign(new Error('HTTP request failed.', { cause: deepest }), {
    url: secret,
    details: { headers: { 'X-Api-Key': secret } },
  })
  log.error({ err: new Error(`URL: ${secret}\nRequest body: {}`, { cause: middle }) }, `failed at ${secret}`)
  log.info({ request: { url: `https://host.example/?next=${encodeURIComponent(secret)}` } }, 'x')
  log.info({ text: JSON.stringify({ secret }), list: [secret] }, 'x')
  if (/_URLS?$/.test(name)) {
    const { password, pathname, search } = new URL(secret)
    if (/^https?:/.test(secret)) log.warn(`cannot GET ${pathname}${search}`)
    log.warn(`password authentication failed with ${password}`)
  }
}

test('what is no secret stays readable', () => {
  const scrub = createScrub(['https://user:hunter22@rpc.example/v2/abcdefghij', 'on', ''])
  expect(scrub('connect ECONNREFUSED rpc.example:443 on /v2')).toBe(
    'connect ECONNREFUSED rpc.example:443 on /v2',
  )
  expect(scrub('GET /v2/abcdefghij')).toBe('GET /v2/[secret]')
  expect(createScrub([])('all of it')).toBe('all of it')
})
