import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a log must never contain: the secrets of the data directory, the keys of the test wallets, and the tokens that were used. */
export async function secretsOf(dataDir: string, url: string, tokens: readonly string[]): Promise<string[]> {
  const response = await fetch(`${url}/api/sandbox/wallets`)
  const wallets = JSON.stringify(await response.json())
  const kept = readFileSync(join(dataDir, 'secrets.json'), 'utf8')
  const keys = [...wallets.matchAll(/"0x([0-9a-f]{64})"/gi), ...kept.matchAll(/"([0-9a-f]{64})"/gi)]
  return [...keys.map(([, key = '']) => key), ...tokens]
}

/** The places of the secrets that were found, never the secrets themselves. */
export const secretsIn = (log: string, secrets: readonly string[]): number[] =>
  secrets.flatMap((secret, place) => (log.toLowerCase().includes(secret.toLowerCase()) ? place : []))
