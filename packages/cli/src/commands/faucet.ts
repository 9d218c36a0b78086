import { defineCommand } from '../command.ts'
import { openPayer } from '../open-marketplace.ts'
import { amountFrom, readable } from '../output/amounts.ts'

export const faucet = defineCommand({
  name: 'faucet',
  summary: 'Get test USDC for your wallet; only a sandbox gives it',
  arguments: [{ name: 'amount', summary: 'How much, in USDC' }],
  options: {},
  async run(context, [written = '']) {
    const amount = String(amountFrom(written, '<amount>'))
    const given = await openPayer(context).sandboxFaucet({ amount }, { signal: context.terminal.signal })
    context.show(given, () => `The wallet has ${readable(given.balance)} USDC now.`)
  },
})
