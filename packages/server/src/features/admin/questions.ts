import type { AgentQuestion } from '@agent-marketplace/contract'
import type { Transaction } from '../../platform/db/transaction.ts'
import type { Audit } from './audit.ts'
import type { Decision } from './owners.ts'

/** Questions as the console handles them. Hiding one notifies those who wrote it. */
export interface QuestionModeration {
  hideQuestion(
    tx: Transaction,
    questionId: string,
    hiding: { ownerId: string; reason: string },
  ): Promise<AgentQuestion>
}

export function createAdminQuestions({ questions, audit }: { questions: QuestionModeration; audit: Audit }) {
  return {
    async hide(tx: Transaction, { actor, subjectId, reason }: Decision): Promise<AgentQuestion> {
      const question = await questions.hideQuestion(tx, subjectId, { ownerId: actor.ownerId, reason })
      await audit.record(tx, actor, {
        action: 'question.hidden',
        subjectType: 'question',
        subjectId,
        before: { status: 'SHOWN' },
        after: { status: 'HIDDEN' },
        reason,
      })
      return question
    },
  }
}
