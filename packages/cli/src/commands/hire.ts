import { type MarketplaceClient, randomKey } from '@agent-marketplace/sdk'
import { type Context, defineCommand, type Values } from '../command.ts'
import { CommandError } from '../exit-codes.ts'
import { readJson, readText } from '../input.ts'
import { drawJob } from '../jobs/draw-job.ts'
import { orderFrom, priceInWords } from '../jobs/order.ts'
import { beginPurchase, buy, checkKey, findPurchase, type Purchase } from '../jobs/purchase.ts'
import { showOutcome } from '../jobs/show-outcome.ts'
import { openPayer } from '../open-marketplace.ts'
import { amountFrom, readable } from '../output/amounts.ts'
import { oneLine } from '../output/printable.ts'
import type { Terminal } from '../terminal.ts'

const options = {
  input: { takes: 'json', summary: 'The service’s input' },
  file: { takes: 'path', summary: 'The input from a JSON file; - reads standard input' },
  title: { takes: 'text', summary: 'A title; otherwise the service’s name' },
  description: { takes: 'text', summary: 'What is to be done, where the service takes words' },
  price: { takes: 'usdc', summary: 'More than the service asks, or the price of a custom order' },
  protect: { summary: 'Below 100 USDC: pay into escrow as well' },
  'max-price': { takes: 'usdc', summary: 'Pay no more than this' },
  key: { takes: 'key', summary: 'The key of this purchase: the same for every retry of it' },
  yes: { summary: 'Pay without asking' },
  wait: { summary: 'Wait for the result and print it' },
} as const

type HireValues = Values<typeof options>

export const hire = defineCommand({
  name: 'hire',
  summary: 'Hire an agent and pay: by x402 below 100 USDC, into escrow from 100 on',
  arguments: [
    {
      name: 'wallet',
      summary: 'The agent’s wallet; with --key alone, the purchase goes on',
      isOptional: true,
    },
    { name: 'service', summary: 'The id or the name of its service', isOptional: true },
  ],
  options,
  async run(context, [wallet, service], values) {
    const { terminal, home } = context
    const marketplace = openPayer(context)
    const purchase = await prepare(context, marketplace, [wallet, service], values)
    terminal.note(`Purchase ${purchase.key}: to go on with it, agent-marketplace hire --key ${purchase.key}`)
    const job = await buy(marketplace, home, purchase, terminal.signal)
    terminal.note(drawJob(job, true))
    if (values.wait) return showOutcome(context, marketplace, job.id)
    context.show({ key: purchase.key, job }, () => job.id)
    if (job.status === 'CANCELLED') throw new CommandError('failed', 'The job was cancelled.')
  },
})

/** The purchase that the key began, or a new one that the user agreed to. Nothing is paid here. */
async function prepare(
  { terminal, home, url }: Context,
  marketplace: MarketplaceClient,
  [wallet, service]: readonly (string | undefined)[],
  values: HireValues,
): Promise<Purchase> {
  const key = values.key === undefined ? randomKey() : checkKey(values.key)
  const begun = findPurchase(home, key, url)
  if (wallet === undefined) {
    if (begun) return goOn(terminal, begun, values)
    throw new CommandError(
      'usage',
      values.key ? `No purchase has the key ${key}.` : 'Whom? Give an agent’s wallet.',
    )
  }
  const input = await readInput(terminal, values)
  const { title, description, price, protect } = values
  const wish = { service, input, title, description, price, protect }
  const given = JSON.stringify({ wallet, ...wish })
  if (begun) return goOn(terminal, begun, values, given)
  const agent = await marketplace.getAgent(wallet, { signal: terminal.signal })
  const order = orderFrom(agent, wish)
  const purchase = { key, url, given, order }
  checkMost(order, values)
  await agree(terminal, priceInWords(agent, order), values)
  const kept = beginPurchase(home, purchase)
  return kept === purchase ? purchase : goOn(terminal, kept, values, given)
}

/** What a person has agreed to is not asked again. */
async function goOn(
  terminal: Terminal,
  begun: Purchase,
  values: HireValues,
  given = begun.given,
): Promise<Purchase> {
  const { key, order, isByProgram } = begun
  if (begun.given !== given)
    throw new CommandError(
      'usage',
      `The key ${key} belongs to another order. Use a new key for a new purchase.`,
    )
  checkMost(order, values)
  if (isByProgram)
    await agree(
      terminal,
      `${oneLine(order.title)}: ${readable(order.agreedPrice)} USDC, begun by a model.`,
      values,
    )
  return begun
}

async function readInput(
  terminal: Terminal,
  { input, file }: HireValues,
): Promise<Record<string, unknown> | undefined> {
  if (input !== undefined && file !== undefined)
    throw new CommandError('usage', 'Give --input or --file, not both.')
  const from = input === undefined ? file : '--input'
  if (from === undefined) return undefined
  const value = readJson(input ?? (await readText(terminal, from)), from)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CommandError('usage', `${from} must be a JSON object.`)
  return value as Record<string, unknown>
}

function checkMost({ agreedPrice }: Purchase['order'], { 'max-price': most }: HireValues): void {
  if (most !== undefined && BigInt(agreedPrice) > amountFrom(most, '--max-price'))
    throw new CommandError(
      'payment',
      `It costs ${readable(agreedPrice)} USDC, more than ${most}. Nothing was paid.`,
    )
}

async function agree(terminal: Terminal, price: string, { yes }: HireValues): Promise<void> {
  terminal.note(price)
  if (yes) return
  if (!terminal.isInteractive)
    throw new CommandError('usage', 'Agree to the price with --yes. Nothing was paid.')
  if (!/^y(?:es)?$/i.test((await terminal.ask('Pay? [y/N] ')).trim()))
    throw new CommandError('failed', 'Nothing was paid.')
}
