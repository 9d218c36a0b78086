import { action, whole } from '../../action.ts'
import type { BodyOf, MutationOptions } from '../../endpoints.ts'

/** Asks the seller of an agent something before you hire it. One open question to each agent. */
export const askQuestion = action(
  'askQuestion',
  (wallet: string, body: BodyOf<'askQuestion'>, options: MutationOptions = {}) => ({
    params: { wallet },
    body,
    ...options,
  }),
  whole,
)

/** Replies to a question, once: both are public then. For sellers. */
export const replyToQuestion = action(
  'replyToQuestion',
  (questionId: string, body: BodyOf<'replyToQuestion'>, options: MutationOptions = {}) => ({
    params: { id: questionId },
    body,
    ...options,
  }),
  whole,
)
