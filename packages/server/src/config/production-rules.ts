import { DEVNET_CHAIN_ID } from '@agent-marketplace/contract'
import type { Config } from './config.ts'
import type { GetSetting } from './setting-reader.ts'
import { namedSettings, type SettingName } from './settings.ts'

/** What the sandbox allows and a market with real money must not have. */
export function productionProblems(config: Config, get: GetSetting): string[] {
  const problems: string[] = []
  const missing = namedSettings
    .filter(([name, setting]) => setting.production === 'required' && get(name) === undefined)
    .filter(([name]) => name !== 'KUBO_URL' || config.s3 === undefined)
    .map(([name]) => (name === 'KUBO_URL' ? 'KUBO_URL or S3_URL' : name))
  if (missing.length > 0)
    problems.push(`MODE=production needs ${missing.join(', ')}: docs/configuration.md says what they are`)
  if (get('PUBLIC_URL') !== undefined && config.publicUrl.protocol !== 'https:')
    problems.push('MODE=production needs an https PUBLIC_URL')
  for (const name of weakSecrets(get))
    problems.push(`MODE=production refuses a ${name} that is easy to guess`)
  const allowsDevnet = get('ALLOW_DEVNET') === 'yes'
  if (config.chain?.chainId === DEVNET_CHAIN_ID && !allowsDevnet)
    problems.push('MODE=production refuses CHAIN_ID 31337; ALLOW_DEVNET=yes is for a rehearsal on a devnet')
  if (get('CDP_URL') !== undefined && !allowsDevnet)
    problems.push('MODE=production refuses CDP_URL; ALLOW_DEVNET=yes is for a rehearsal without Coinbase')
  if (/^ws:/i.test(get('WALLETCONNECT_RELAY_URL') ?? ''))
    problems.push('MODE=production needs a wss WALLETCONNECT_RELAY_URL')
  if (!config.rateLimitsEnforced) problems.push('MODE=production refuses RATE_LIMITS=off')
  return problems
}

/** Placeholders, and what somebody typed: few different characters, or a short piece over and over. */
function weakSecrets(get: GetSetting): SettingName[] {
  const isWeak = (secret: string) => new Set(secret).size < 8 || /^(.{1,16})\1+$/.test(secret)
  return namedSettings
    .filter(([name, { ownSecret }]) => ownSecret && isWeak((get(name) ?? '').replace(/^0x/, '')))
    .map(([name]) => name)
    .filter((name) => get(name) !== undefined)
}
