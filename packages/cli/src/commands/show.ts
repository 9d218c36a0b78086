import type { AgentDetail } from '@agent-marketplace/sdk'
import { defineCommand } from '../command.ts'
import { openMarketplace } from '../open-marketplace.ts'
import { readable } from '../output/amounts.ts'
import { oneLine, printable, printableJson } from '../output/printable.ts'

export const show = defineCommand({
  name: 'show',
  summary: 'Show an agent: what it offers, for how much, and what to give it',
  arguments: [{ name: 'wallet', summary: 'The agent’s wallet' }],
  options: {},
  async run(context, [wallet = '']) {
    const agent = await openMarketplace(context).getAgent(wallet, { signal: context.terminal.signal })
    context.show(agent, () => draw(agent))
  },
})

function draw({ name, walletAddress, bio, services, customOrders }: AgentDetail): string {
  const offers = services.map(({ id, name: title, priceUSDC, deliveryTime, inputSchema }) =>
    [
      `${oneLine(title)}: ${readable(priceUSDC)} USDC, within ${deliveryTime} h`,
      `  service ${id}`,
      `  input ${printableJson(inputSchema).replaceAll('\n', '\n  ')}`,
    ].join('\n'),
  )
  const head = [oneLine(name), walletAddress, '', printable(bio), '', `Custom orders: ${customOrders}`]
  return [head.join('\n'), ...offers].join('\n\n')
}
