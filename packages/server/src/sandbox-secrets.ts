import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const names = ['sessionSecret', 'chainSeed', 'kycWebhookSecret', 'walletMasterKey'] as const

type Name = (typeof names)[number]

/** The secrets that seal. */
const rotated = ['sessionSecret', 'walletMasterKey'] as const

/** Each 32 random bytes as hex. Every devnet key is derived from `chainSeed`. */
export type SandboxSecrets = Record<Name, string> & {
  /** Those before these, until everything is sealed again. */
  previous?: Record<(typeof rotated)[number], string>
}

/** The sandbox makes its secrets once and keeps them in the data directory, readable by its own user only. */
export function loadSandboxSecrets(dataDir: string): SandboxSecrets {
  const path = pathOf(dataDir)
  const kept: Partial<SandboxSecrets> = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const made = Object.fromEntries(names.map((name) => [name, newSecret()])) as Record<Name, string>
  const secrets = { ...made, ...kept }
  if (names.some((name) => kept[name] === undefined)) saveSandboxSecrets(dataDir, secrets)
  return secrets
}

/**
 * New secrets, which are on the disk together with the old ones before anything is sealed with them. One that was begun
 * and not finished is carried on.
 */
export function beginRotation(dataDir: string): SandboxSecrets {
  const secrets = loadSandboxSecrets(dataDir)
  if (secrets.previous) return secrets
  const { sessionSecret, walletMasterKey } = secrets
  const begun = {
    ...secrets,
    sessionSecret: newSecret(),
    walletMasterKey: newSecret(),
    previous: { sessionSecret, walletMasterKey },
  }
  saveSandboxSecrets(dataDir, begun)
  return begun
}

/**
 * For a sandbox that began as a copy of another: what was sealed there opens, and no session of the other counts here. The
 * seed of the chain stays, because the wallets and contracts of the copy are derived from it.
 */
export function renewSecrets(dataDir: string): void {
  saveSandboxSecrets(dataDir, { ...beginRotation(dataDir), kycWebhookSecret: newSecret() })
}

/** Forgets the old secrets: nothing is sealed with them any more. */
export function finishRotation(dataDir: string): void {
  const { previous: _, ...secrets } = loadSandboxSecrets(dataDir)
  saveSandboxSecrets(dataDir, secrets)
}

/** Whole or not at all, also when the machine stops: without these keys nothing in the data directory opens. */
function saveSandboxSecrets(dataDir: string, secrets: SandboxSecrets): void {
  const path = pathOf(dataDir)
  const file = openSync(`${path}.new`, 'w', 0o600)
  writeSync(file, JSON.stringify(secrets, null, 2))
  fsyncSync(file)
  closeSync(file)
  renameSync(`${path}.new`, path)
  flushDirectory(dataDir)
}

/** Makes the new name last. Windows does so by itself, and opens no directory. */
function flushDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

const pathOf = (dataDir: string): string => join(dataDir, 'secrets.json')
const newSecret = (): string => randomBytes(32).toString('hex')
