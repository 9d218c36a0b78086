import type { Market } from '@agent-marketplace/mcp'
import { createMarketplaceClient, MarketplaceError } from '@agent-marketplace/sdk'
import { type Context, defineCommand, type Values } from '../command.ts'
import { hasApiKey, openMarketplace } from '../open-marketplace.ts'
import { amountFrom } from '../output/amounts.ts'
import { readSettings } from '../settings.ts'
import type { Caps } from '../spending/caps.ts'
import { openLedger } from '../spending/ledger.ts'
import { createLocalWallet, guardOf } from '../spending/local-wallet.ts'
import { askPassword } from '../wallet/password.ts'

const options = {
  'max-per-job': { takes: 'usdc', summary: 'Limit for a single job; 5 by default' },
  'max-per-day': { takes: 'usdc', summary: 'Limit per 24 hours; 20 by default' },
  'max-total': { takes: 'usdc', summary: 'Lifetime limit; 100 by default' },
} as const

type McpValues = Values<typeof options>

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve the marketplace’s tools to a language model, over standard input and output',
  arguments: [],
  options,
  async run(context, _, values) {
    const caps = capsFrom(values)
    // Standard input is the protocol's: there is nobody to prompt.
    const quiet = { ...context, terminal: { ...context.terminal, isInteractive: false } }
    await checkWallet(quiet)
    // Loaded here alone: it takes longer than most commands.
    const { serveStdio } = await import('@agent-marketplace/mcp/stdio')
    await serveStdio(openMarket(quiet, caps), context.terminal.signal)
  },
})

function capsFrom(values: McpValues): Caps {
  return {
    perJobMicro: amountFrom(values['max-per-job'] ?? '5', '--max-per-job'),
    perDayMicro: amountFrom(values['max-per-day'] ?? '20', '--max-per-day'),
    totalMicro: amountFrom(values['max-total'] ?? '100', '--max-total'),
  }
}

/** A key that cannot be opened is an error now, and not at the first payment. */
async function checkWallet({ terminal, home }: Context): Promise<void> {
  const { wallet } = readSettings(home)
  if (wallet && wallet.signerCommand === undefined) await askPassword(terminal, '')
}

function openMarket(context: Context, caps: Caps): Omit<Market, 'sleep'> {
  const { home, url } = context
  const { wallet } = readSettings(home)
  const publicUrl = new URL(url)
  const market = {
    withToken: (token: string) => createMarketplaceClient({ baseUrl: url, apiKey: token }),
    publicUrl,
    async readText(path: string) {
      const response = await fetch(new URL(path, publicUrl))
      if (!response.ok) throw new MarketplaceError('NOT_FOUND', { message: `There is no ${path}.` })
      return response.text()
    },
  }
  if (!wallet) return { ...market, client: openMarketplace(context), hasAccount: hasApiKey(context) }
  const ledger = openLedger(home, wallet.address, caps)
  const nowMs = Date.now
  const client = openMarketplace(context, guardOf(ledger, nowMs))
  const paying = createLocalWallet({ home, url, client, caps, ledger, nowMs })
  return { ...market, client, hasAccount: true, wallet: paying }
}
