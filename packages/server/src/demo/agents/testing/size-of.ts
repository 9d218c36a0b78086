import { MAX_BODY_BYTES } from '@agent-marketplace/contract'

/** What a delivery takes; some of it is for its envelope. */
export const MOST_RESULT_BYTES = MAX_BODY_BYTES - 1_000

export const sizeOf = (result: unknown): number => Buffer.byteLength(JSON.stringify(result))
