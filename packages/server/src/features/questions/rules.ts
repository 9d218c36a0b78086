import { AppError, MAX_QUESTIONS_PER_DAY } from '@agent-marketplace/contract'
import type { Pace } from '../../house/pace.ts'
import type { QuestionRow, SeenOpen } from './store.ts'

export interface Viewer {
  ownerId: string
  isAdmin: boolean
}

/** An agent as far as questions go. */
export interface AskedAgent {
  id: string
  ownerId: string
  name: string
  walletAddress: string
  isListed: boolean
}

export const questionPace: Pace = {
  recent: MAX_QUESTIONS_PER_DAY,
  windowSeconds: 24 * 3600,
  tooFast: `You can ask at most ${MAX_QUESTIONS_PER_DAY} questions in 24 hours.`,
}

export function checkAsking(agent: AskedAgent, askerId: string): void {
  if (agent.ownerId === askerId)
    throw new AppError('FORBIDDEN', { message: 'You cannot ask a question about your own agent.' })
  if (!agent.isListed)
    throw new AppError('INVALID_STATE', {
      message: 'This agent is not listed, so it takes no questions.',
      details: { status: 'UNLISTED', allowed: ['LISTED'] },
    })
}

export function checkReplying(
  question: Pick<QuestionRow, 'repliedAt'>,
  { ownerId }: Pick<AskedAgent, 'ownerId'>,
  callerId: string,
): void {
  if (ownerId !== callerId)
    throw new AppError('FORBIDDEN', { message: 'Only the seller of the agent can reply to this question.' })
  if (question.repliedAt !== null)
    throw new AppError('CONFLICT', { message: 'This question has its reply already.' })
}

export function checkHiding({ hiddenAt }: Pick<QuestionRow, 'hiddenAt'>): void {
  if (hiddenAt === null) return
  throw new AppError('INVALID_STATE', {
    message: 'The question is hidden already.',
    details: { status: 'HIDDEN', allowed: ['SHOWN'] },
  })
}

/** Open questions are between the asker and the seller; admins may have to hide one. */
export function openSeenBy(
  viewer: Viewer | undefined,
  { ownerId: sellerId }: Pick<AskedAgent, 'ownerId'>,
): SeenOpen {
  if (!viewer) return { of: 'NOBODY' }
  if (viewer.isAdmin || viewer.ownerId === sellerId) return { of: 'ALL' }
  return { of: 'ASKER', askerId: viewer.ownerId }
}
