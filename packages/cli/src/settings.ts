import { CommandError } from './exit-codes.ts'
import type { Home } from './home.ts'
import type { Terminal } from './terminal.ts'
import type { Wallet } from './wallet/wallet.ts'

/** What is kept between calls: which marketplace, and whose wallet. */
export interface Settings {
  url?: string
  wallet?: Wallet
}

const DEFAULT_URL = 'http://localhost:4000'

export const readSettings = (home: Home): Settings => home.read<Settings>('config') ?? {}

export function changeSettings(home: Home, changes: Settings): void {
  home.write('config', { ...readSettings(home), ...changes })
}

/** The first of: the option, the environment, the settings. */
export function chooseUrl(option: string | undefined, { environment }: Terminal, home: Home): string {
  const written = option ?? environment.AGENT_MARKETPLACE_URL ?? readSettings(home).url ?? DEFAULT_URL
  const url = URL.canParse(written) ? new URL(written) : undefined
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new CommandError(
      'usage',
      `The marketplace’s URL begins with https:// or http://, not “${written}”.`,
    )
  return written.replace(/\/+$/, '')
}
