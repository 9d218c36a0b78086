import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const names = ['sessionSecret', 'chainSeed', 'kycWebhookSecret', 'walletMasterKey'] as const

/** Each 32 random bytes as hex. Every devnet key is derived from `chainSeed`. */
export type SandboxSecrets = Record<(typeof names)[number], string>

/** The sandbox makes its secrets once and keeps them in the data directory, readable by its own user only. */
export function loadSandboxSecrets(dataDir: string): SandboxSecrets {
  const path = join(dataDir, 'secrets.json')
  const kept: Partial<SandboxSecrets> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const secrets = Object.fromEntries(
    names.map((name) => [name, kept[name] ?? randomBytes(32).toString('hex')]),
  ) as SandboxSecrets
  if (names.some((name) => kept[name] === undefined)) {
    writeFileSync(path, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  }
  return secrets
}
