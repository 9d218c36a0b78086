import type { Task } from '@a2a-js/sdk'
import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { AppError, type Issue } from '@agent-marketplace/contract'
import type { PaidCall } from '../../../house/payments.ts'
import type { OrderedService } from '../../../house/services/ordered-service.ts'
import { orderUrlOf } from '../../../house/services/payable-service.ts'
import type { Queryable } from '../../../platform/db/queryable.ts'
import { type Caller, isByKey } from '../caller.ts'
import { type Draft, inputOf, orderable, priceWords, schemaOf, whichService } from './choice.ts'
import { type Asking, taskAsking } from './present.ts'
import { carry, X402_EXTENSION, X402_EXTENSION_V1 } from './x402.ts'

export interface Wish {
  wallet: string
  serviceId: string
  input: Record<string, unknown>
}

export interface AskingDeps {
  db: Queryable
  publicUrl: URL
  findServices: (db: Queryable, wallet: string) => Promise<OrderedService[]>
  orders: {
    place: (call: PaidCall, wish: Wish) => Promise<unknown>
    tokens: { of: (id: string) => string }
  }
}

export interface DraftedTask extends Draft {
  id: string
  contextId: string
  agentWallet: string
  createdAt: Date
}

/** What a task still needs before the agent can begin: a service, an input that fits it, the money. */
export function createAsking({ db, publicUrl, findServices, orders }: AskingDeps) {
  /** Those of an agent that can be ordered here. */
  async function servicesOf(wallet: string): Promise<OrderedService[]> {
    const services = orderable(await findServices(db, wallet))
    if (services.length > 0) return services
    throw new UnsupportedOperationError('This agent sells no service that can be ordered by a message.')
  }

  const wishOf = (task: DraftedTask, service: OrderedService): Wish => ({
    wallet: task.agentWallet,
    serviceId: service.id,
    input: inputOf(task),
  })

  const pathOf = ({ wallet, serviceId }: Wish): string => orderUrlOf(publicUrl, wallet, serviceId)

  async function questionOf(task: DraftedTask, caller: Caller): Promise<Asking> {
    const services = await servicesOf(task.agentWallet)
    const service = services.find(({ id }) => id === task.serviceId)
    if (!service) {
      return { messageId: `${task.id}-service`, ...whichService(services) }
    }
    const wish = wishOf(task, service)
    const carried = carry({ url: pathOf(wish), requestId: caller.requestId, principal: caller.principal })
    try {
      await orders.place(carried.call, wish)
      throw new Error('an order was placed without a payment')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'VALIDATION_ERROR') return askInput(task, service, error)
      if (error.code !== 'PAYMENT_REQUIRED') throw error
      const required = speaksVersionOne(caller) ? error.beside : carried.required()
      return {
        messageId: `${task.id}-payment`,
        text: `Payment is required: ${priceWords(service)} for “${service.name}”.`,
        payment: { status: 'payment-required', required },
      }
    }
  }

  return {
    servicesOf,
    wishOf,
    pathOf,

    /**
     * The task with what is missing. `isOwn` where the caller has shown more than its id: only they get its token.
     * `because` is why a payment failed.
     */
    async ask(
      task: DraftedTask,
      caller: Caller,
      { isOwn, because }: { isOwn: boolean; because?: { code: string; receipt: unknown } },
    ): Promise<Task> {
      const question = await questionOf(task, caller)
      const { payment } = question
      const asking: Asking =
        because && payment
          ? {
              ...question,
              messageId: `${task.id}-payment-failed`,
              text: `The payment failed (${because.code}). ${question.text}`,
              payment: {
                ...payment,
                status: 'payment-failed',
                error: because.code,
                receipts: because.receipt === undefined ? [] : [because.receipt],
              },
            }
          : question
      const metadata = isOwn && !isByKey(caller) ? { token: orders.tokens.of(task.id) } : {}
      return taskAsking(task, asking, { at: task.createdAt, metadata })
    },
  }
}

export type AskingForMore = ReturnType<typeof createAsking>

/** Version 0.1 of the extension has the objects of x402's version 1. */
const speaksVersionOne = ({ extensions }: Caller): boolean =>
  extensions.includes(X402_EXTENSION_V1) && !extensions.includes(X402_EXTENSION)

function askInput({ id }: DraftedTask, service: OrderedService, error: AppError): Asking {
  const issues = (error.details.issues ?? []) as Issue[]
  const lines = issues.map(({ path, message }) => `- ${path === '' ? 'The input' : path} ${message}`)
  return {
    messageId: `${id}-input`,
    text: [`“${service.name}” needs an input that fits its schema, as a data part.`, ...lines].join('\n'),
    data: { serviceId: service.id, inputSchema: schemaOf(service), issues },
  }
}
