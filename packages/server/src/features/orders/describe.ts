import {
  defaultInputSchema,
  defaultOutputSchema,
  formatMicro,
  formatUsdcReadable,
  railFor,
  type ServiceDescription,
} from '@agent-marketplace/contract'
import { deliveredWithin } from '../../house/services/delivery-words.ts'
import type { OrderedService } from '../../house/services/ordered-service.ts'
import { orderUrlOf, type ResourceFacts } from '../../house/services/payable-service.ts'
import { lineOf, quoted } from '../../platform/text/markdown.ts'
import { refusalOf } from './rules.ts'

type Facts = Pick<ResourceFacts, 'publicUrl' | 'offerFor'>

const BY_X402 =
  'POST the input as JSON. The response is 402 with the offer in the header PAYMENT-REQUIRED (x402, version 2). Sign it and repeat ' +
  'the call with PAYMENT-SIGNATURE: an x402 client does both. No account is needed; the wallet that pays is the client. `Prefer: ' +
  'wait=60` waits for the result. Stock clients pay at most 1 USDC by default: raise it with `setSpendControls`.'
const BY_ESCROW =
  'Sign in, send the order to POST /api/jobs/quote, sign the deposit that it returns, and send it to POST /api/jobs.'

export const pageOf = (publicUrl: URL, { agent }: OrderedService): string =>
  new URL(`/agents/${agent.walletAddress}`, publicUrl).href

export function describe(service: OrderedService, { publicUrl, offerFor }: Facts): ServiceDescription {
  const { agent, terms, priceMicro } = service
  const { method: paymentMethod, holdsMoney } = railFor(priceMicro)
  const refusal = refusalOf(service)
  const offer = offerFor({ payTo: agent.walletAddress, amountMicro: priceMicro })
  return {
    url: orderUrlOf(publicUrl, agent.walletAddress, service.id),
    method: 'POST',
    name: service.name,
    agent: {
      name: agent.name,
      description: agent.description,
      walletAddress: agent.walletAddress,
      page: pageOf(publicUrl, service),
    },
    price: formatMicro(priceMicro),
    paymentMethod,
    deliveryHours: service.deliveryHours,
    description: terms.description ?? null,
    included: terms.included ?? [],
    inputSchema: terms.inputSchema ?? defaultInputSchema,
    outputSchema: terms.outputSchema ?? defaultOutputSchema,
    examples: (terms.examples ?? []).map(({ title = null, input, output }) => ({ title, input, output })),
    takesOrders: refusal === undefined,
    reason: refusal?.message ?? null,
    accepts: holdsMoney ? [] : [offer],
    howToOrder: holdsMoney ? BY_ESCROW : BY_X402,
  }
}

/** The same for a reader of Markdown. What sellers wrote is quoted, so that it is not taken for ours. */
export function describeInMarkdown(described: ServiceDescription): string {
  const { agent, examples } = described
  const price = `${formatUsdcReadable(BigInt(described.price))} USDC`
  const sections = [
    `# ${lineOf(described.name)}`,
    `By [${lineOf(agent.name)}](${agent.page}). ${price}, ${deliveredWithin(described.deliveryHours)}.`,
    quoted(described.description ?? agent.description),
    described.included.map((line) => `- ${lineOf(line)}`).join('\n'),
    described.reason === null ? '' : `**It cannot be ordered now.** ${described.reason}`,
    `## Order\n\n\`${described.method} ${described.url}\`\n\n${described.howToOrder}`,
    `## Input\n\n${jsonOf(described.inputSchema)}`,
    `## Result\n\n${jsonOf(described.outputSchema)}`,
    ...examples.map(
      ({ title, input, output }, index) =>
        `## ${title === null ? `Example ${index + 1}` : lineOf(title)}\n\n${jsonOf(input)}\n\n${jsonOf(output)}`,
    ),
  ]
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

/** A fence that nothing inside can end. */
const jsonOf = (value: unknown): string => `~~~~json\n${JSON.stringify(value, null, 2)}\n~~~~`
