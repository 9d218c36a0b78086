import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { describeSettings } from '../../scripts/configuration-table.ts'
import { StartupError } from '../platform/db/startup-error.ts'
import { loadSandboxSecrets } from '../sandbox-secrets.ts'
import { readConfig } from './read-config.ts'

function problemOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof StartupError) return error.userMessage
    throw error
  }
  return 'none'
}

describe('readConfig', () => {
  test('an empty environment is a sandbox on port 4000', () => {
    expect(readConfig({})).toMatchObject({
      mode: 'sandbox',
      port: 4000,
      host: '127.0.0.1',
      rateLimitsEnforced: true,
      databaseUrl: undefined,
      publicUrl: new URL('http://localhost:4000'),
    })
  })

  test.each([
    ['0.0.0.0', 'http://localhost:4000'],
    ['::', 'http://localhost:4000'],
    ['192.0.2.7', 'http://192.0.2.7:4000'],
    ['fd00::7', 'http://[fd00::7]:4000'],
  ])('HOST=%s is reached at %s', (host, url) => {
    expect(readConfig({ HOST: host }).publicUrl.origin).toBe(url)
  })

  test.each([
    [{ ALLOWED_HOSTS: 'a.example:80' }, 'a.example:80 is not a host name or address without a port'],
    [{ ALLOWED_HOSTS: 'https://a.example' }, 'is not a host name'],
    [{ PORT: 'four' }, 'PORT must be a whole number from 0 to 65535'],
    [{ MODE: 'staging' }, 'MODE must be one of sandbox, production'],
    [{ PUBLIC_URL: 'ftp://x' }, 'PUBLIC_URL must be an http or https address'],
    [{ SESSION_SECRET: 'short' }, 'SESSION_SECRET must have at least 32 characters'],
    [{ ADMIN_WALLETS: '0x12' }, 'ADMIN_WALLETS: 0x12 is not a wallet address'],
    [{ ADMIN_WALLETS: `0x${'00'.repeat(20)}` }, 'is not a wallet address'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES: 10.0.0.0/33 is not an address or network'],
    [{ CORS_ORIGINS: 'https://a.example/path' }, 'is not an origin'],
    [{ RECEIPT_KEY: 'short' }, 'RECEIPT_KEY must have at least 32 characters'],
    [{ RECEIPT_KEYS_RETIRED: 'AAAA' }, 'is not the x of an Ed25519 key'],
    [{ RATE_LIMITS: 'maybe' }, 'RATE_LIMITS must be one of on, off'],
    [{ DATABASE_URL: 'localhost' }, 'DATABASE_URL must be an address that begins with postgres:// or'],
    [
      { DATABASE_URL: 'postgres://a', DATABASE_REPLICA_URLS: 'postgres://b, secret@c' },
      'DATABASE_REPLICA_URLS must be an address that begins with postgres:// or',
    ],
    [{ DATABASE_REPLICA_URLS: 'postgres://b' }, 'DATABASE_REPLICA_URLS needs DATABASE_URL'],
    [{ DATABASE_REPLICA_MAX_LAG_MS: '5' }, 'DATABASE_REPLICA_MAX_LAG_MS must be a whole number from 100'],
    [
      { REDIS_URL: 'http://127.0.0.1' },
      'REDIS_URL must be an address that begins with redis:// or rediss://',
    ],
    [{ S3_URL: 'https://s3.example' }, 'S3_URL needs S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY too'],
    [{ KUBO_URL: '127.0.0.1:5001' }, 'KUBO_URL must be an address that begins with http:// or https://'],
    [
      {
        RPC_URL: 'http://127.0.0.1:1',
        CHAIN_ID: '8453',
        ESCROW_ADDRESS: `0x${'12'.repeat(20)}`,
        ESCROW_START_BLOCK: '1',
        OPERATOR_PRIVATE_KEY: 'x',
        SPENDER_PRIVATE_KEY: 'y',
      },
      'RPC_URL needs MODE=production: a sandbox gives its powers to anyone',
    ],
    [{ RPC_URL: 'http://127.0.0.1:1' }, 'RPC_URL needs CHAIN_ID, ESCROW_ADDRESS,'],
    [{ EMBEDDINGS_URL: 'api.example/v1' }, 'EMBEDDINGS_URL must be an address that begins with http://'],
    [{ EMBEDDINGS_MIN_SIMILARITY: '0.3' }, 'EMBEDDINGS_MIN_SIMILARITY must be a whole number from 0 to 100'],
    [{ SUMSUB_APP_TOKEN: 'x', SUMSUB_SECRET_KEY: 'y' }, 'needs SUMSUB_WEBHOOK_SECRET too'],
    [{ WALLETCONNECT_PROJECT_ID: 'mine' }, 'WALLETCONNECT_PROJECT_ID must be 32 hex digits'],
    [
      { WALLETCONNECT_RELAY_URL: 'https://relay.example' },
      'WALLETCONNECT_RELAY_URL must be an address that begins with wss:// or ws://',
    ],
    [
      { ONRAMP_URL: 'http://pay.example/?to={address}' },
      'ONRAMP_URL must be an address that begins with https://',
    ],
    [{ ONRAMP_URL: 'https://pay.example/buy' }, 'ONRAMP_URL must hold {address} once'],
    [{ ONRAMP_URL: 'https://pay.example/{address}/{address}' }, 'ONRAMP_URL must hold {address} once'],
  ])('%j: %s', (environment, problem) => {
    expect(problemOf(environment as unknown as Record<string, string>)).toContain(problem)
  })

  test('production names everything that is missing or unsafe, in a list', () => {
    const problem = problemOf({ MODE: 'production', RATE_LIMITS: 'off', PUBLIC_URL: 'http://example.com' })
    const [opening, missing, ...others] = problem.split('\n')
    expect(opening).toBe('Cannot start:')
    for (const name of [
      'DATABASE_URL',
      'SESSION_SECRET',
      'RPC_URL',
      'CHAIN_ID',
      'SUMSUB_SECRET_KEY',
      'METRICS_TOKEN',
      'KUBO_URL or S3_URL',
    ]) {
      expect(missing).toContain(name)
    }
    expect(others).toEqual([
      '- MODE=production needs an https PUBLIC_URL',
      '- MODE=production refuses RATE_LIMITS=off',
    ])
  })

  describe('production', () => {
    const strong = 'kT9vQx2LmN7wRz4PbY8cHd3FgJ6sVaUe'
    const environment = {
      MODE: 'production',
      PUBLIC_URL: 'https://market.example',
      DATABASE_URL: 'postgres://db/market',
      SESSION_SECRET: strong,
      METRICS_TOKEN: strong,
      RPC_URL: 'https://rpc.example',
      CHAIN_ID: '8453',
      ESCROW_ADDRESS: `0x${'12'.repeat(20)}`,
      ESCROW_START_BLOCK: '1',
      OPERATOR_PRIVATE_KEY: `0x${'0123456789abcdef'.repeat(3)}fedcba9876543210`,
      SPENDER_PRIVATE_KEY: `0x${'0123456789abcdef'.repeat(3)}0f1e2d3c4b5a6978`,
      CDP_API_KEY_ID: 'id',
      CDP_API_KEY_SECRET: 'secret',
      CDP_WALLET_SECRET: 'secret',
      KUBO_URL: 'https://kubo.example',
      SUMSUB_APP_TOKEN: 'token',
      SUMSUB_SECRET_KEY: 'key',
      SUMSUB_WEBHOOK_SECRET: strong,
    }

    test('starts with everything set', () => {
      expect(problemOf(environment)).toBe('none')
    })

    test('keeps no copies of sandboxes', () => {
      expect(readConfig({ PREPARED_DIR: '/kept' }).preparedDirectory).toBe('/kept')
      expect(readConfig({ PREPARED_DIR: 'off' }).preparedDirectory).toBeUndefined()
      expect(readConfig({ ...environment, PREPARED_DIR: '/kept' }).preparedDirectory).toBeUndefined()
    })

    test.each(['SESSION_SECRET', 'METRICS_TOKEN', 'OPERATOR_PRIVATE_KEY', 'SUMSUB_WEBHOOK_SECRET'])(
      'refuses a weak %s',
      (name) => {
        for (const weak of [
          'a'.repeat(64),
          `0x${'1'.repeat(64)}`,
          'abc'.repeat(20),
          'changeme-please!'.repeat(2),
        ]) {
          const problem = problemOf({ ...environment, [name]: weak })
          expect(problem).toContain(`MODE=production refuses a ${name} that is easy to guess`)
          expect(problem).not.toContain(weak)
        }
      },
    )

    test('refuses a devnet unless it is a rehearsal', () => {
      const devnet = { ...environment, CHAIN_ID: '31337' }
      expect(problemOf(devnet)).toContain('ALLOW_DEVNET=yes is for a rehearsal')
      expect(problemOf({ ...devnet, ALLOW_DEVNET: 'yes' })).toBe('none')
    })

    test('refuses another address for CDP unless it is a rehearsal', () => {
      const elsewhere = { ...environment, CDP_URL: 'https://cdp.example' }
      expect(problemOf(elsewhere)).toContain('MODE=production refuses CDP_URL')
      expect(problemOf({ ...elsewhere, ALLOW_DEVNET: 'yes' })).toBe('none')
    })

    test('refuses a relay of wallets without encryption', () => {
      const relay = (url: string) => ({ ...environment, WALLETCONNECT_RELAY_URL: url })
      const plain = 'MODE=production needs a wss WALLETCONNECT_RELAY_URL'
      expect(problemOf(relay('ws://relay.example'))).toContain(plain)
      const project = { WALLETCONNECT_PROJECT_ID: '0123456789abcdef'.repeat(2) }
      expect(problemOf({ ...relay('ws://relay.example'), ...project })).toContain(plain)
      expect(problemOf({ ...relay('wss://relay.example'), ...project })).toBe('none')
    })

    test('refuses the zero address', () => {
      const zero = `0x${'0'.repeat(40)}`
      expect(problemOf({ ...environment, ESCROW_ADDRESS: zero })).toContain('ESCROW_ADDRESS')
      expect(problemOf({ ...environment, ADMIN_WALLETS: zero })).toContain('ADMIN_WALLETS')
    })
  })

  test('no secret value is ever repeated in a problem', () => {
    const secrets = { SESSION_SECRET: 'hunter2', DATABASE_URL: 'mysql://me:hunter2@db', REDIS_URL: 'hunter2' }
    expect(problemOf(secrets)).not.toContain('hunter2')
  })
})

test('the sandbox makes its secrets once, adds what a newer version needs, and keeps them to itself', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'secrets-'))
  const first = loadSandboxSecrets(dataDir)
  expect(loadSandboxSecrets(dataDir)).toEqual(first)
  const { walletMasterKey: _added, ...older } = first
  writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(older))
  expect(loadSandboxSecrets(dataDir)).toMatchObject(older)
  expect(new Set(Object.values(first)).size).toBe(4)
  expect(statSync(join(dataDir, 'secrets.json')).mode & 0o777).toBe(0o600)
  rmSync(dataDir, { recursive: true })
})

test('docs/configuration.md is made from the table of settings', () => {
  const path = join(import.meta.dirname, '../../../../docs/configuration.md')
  expect(readFileSync(path, 'utf8'), 'run: npm run generate').toBe(describeSettings())
})
