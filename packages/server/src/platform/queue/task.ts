import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export interface TaskContext {
  /** Aborted when another worker took the job over, because this one was not heard of for too long. */
  readonly signal: AbortSignal
  /** 1 for the first try. */
  readonly attempt: number
}

export interface TaskOptions<Schema extends TSchema> {
  /** The payload as JSON; amounts are strings in it. */
  schema: Schema
  handler: (payload: Static<Schema>, context: TaskContext) => Promise<void>
  retryLimit?: number
  /** The first pause before a retry; each further one is about twice as long, up to `retryDelayMaxSeconds`. */
  retryDelaySeconds?: number
  retryDelayMaxSeconds?: number
  /** How many jobs of this task one process works on at the same time. */
  concurrency?: number
  /** How many of them may belong to one group, over all processes, so that no group holds the others up. */
  groupConcurrency?: number
}

/** A task with its payload type closed over, so that tasks of all kinds fit into one map. */
export interface Task {
  readonly name: string
  readonly retryLimit: number
  readonly retryDelaySeconds: number
  readonly retryDelayMaxSeconds: number
  readonly concurrency: number
  readonly groupConcurrency: number | undefined
  /** Throws a TypeError for a payload that does not fit the schema. */
  check(payload: unknown): void
  run(payload: unknown, context: TaskContext): Promise<void>
}

export function createTask<Schema extends TSchema>(name: string, options: TaskOptions<Schema>): Task {
  const validator = Compile(options.schema)
  const parse = (payload: unknown): Static<Schema> => {
    if (validator.Check(payload)) return payload
    const [problem] = validator.Errors(payload)
    throw new TypeError(
      `The payload of ${name} does not fit: ${problem?.instancePath ?? ''} ${problem?.message ?? ''}`,
    )
  }
  return {
    name,
    retryLimit: options.retryLimit ?? 10,
    retryDelaySeconds: options.retryDelaySeconds ?? 1,
    retryDelayMaxSeconds: options.retryDelayMaxSeconds ?? 300,
    concurrency: options.concurrency ?? 1,
    groupConcurrency: options.groupConcurrency,
    check: (payload) => void parse(payload),
    run: async (payload, context) => options.handler(parse(payload), context),
  }
}
