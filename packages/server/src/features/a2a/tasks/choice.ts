import { defaultInputSchema, formatUsdcReadable } from '@agent-marketplace/contract'
import { deliveredWithin } from '../../../house/services/delivery-words.ts'
import type { OrderedService } from '../../../house/services/ordered-service.ts'
import { isPayable } from '../../../house/services/payable-service.ts'

/** What an order is made of, as far as the caller has given it. */
export interface Draft {
  serviceId: string | null
  text: string
  input: Record<string, unknown> | null
}

interface Words {
  text: string
  input: Record<string, unknown> | undefined
  named: string | undefined
}

/** What a message changes of a draft. A text that does no more than name a service is not its input. */
export function draftAfter(
  before: Draft | undefined,
  said: Words,
  services: readonly OrderedService[],
): Draft {
  const named = serviceNamed(services, said.named)
  const chosen = before && before.serviceId === null && !named ? serviceNamed(services, said.text) : undefined
  const [only, ...others] = services
  const alone = others.length === 0 ? only : undefined
  const service = named ?? chosen ?? alone
  return {
    serviceId: service?.id ?? before?.serviceId ?? null,
    text: chosen || said.text === '' ? (before?.text ?? '') : said.text,
    input: said.input ?? before?.input ?? null,
  }
}

/** By its id, its name, or its place in the list of the question. */
function serviceNamed(
  services: readonly OrderedService[],
  word: string | undefined,
): OrderedService | undefined {
  const wanted = word?.trim().toLowerCase()
  if (!wanted) return undefined
  return services.find(({ id, name }, place) => [id, name.toLowerCase(), String(place + 1)].includes(wanted))
}

/** Text is the task of a service whose input is nothing but a task. */
export function inputOf({ input, text }: Draft): Record<string, unknown> {
  return input ?? (text === '' ? {} : { task: text })
}

/** Those that can be ordered by a message. Larger ones go through escrow. */
export const orderable = (services: readonly OrderedService[]): OrderedService[] => services.filter(isPayable)

export const schemaOf = ({ terms }: OrderedService): Record<string, unknown> =>
  terms.inputSchema ?? defaultInputSchema

export const priceWords = ({ priceMicro }: Pick<OrderedService, 'priceMicro'>): string =>
  `${formatUsdcReadable(priceMicro)} USDC`

export function whichService(services: readonly OrderedService[]): { text: string; data: unknown } {
  const lines = services.map(
    (service, place) =>
      `${place + 1}. ${service.name} (${service.id}): ${priceWords(service)}, ${deliveredWithin(service.deliveryHours)}`,
  )
  return {
    text: `Which service do you want? Reply with its id, its name or its number.\n${lines.join('\n')}`,
    data: {
      services: services.map((service) => ({
        serviceId: service.id,
        name: service.name,
        price: service.priceMicro.toString(),
        inputSchema: schemaOf(service),
      })),
    },
  }
}
