import { expect, test } from 'vitest'
import type { Work } from '../../../house/work.ts'
import type { DispatchRow } from './dispatch-store.ts'
import { failureNotices } from './notices.ts'

const now = new Date('2026-11-16T12:00:00.000Z')
const dispatch: DispatchRow = {
  id: 'job_cjob_1',
  agentId: 'cagent',
  sellerId: 'cseller',
  jobId: 'cjob',
  state: 'FAILED',
  attempts: 1,
  responseStatus: 500,
  error: 'The agent returned 500.',
  nextAttemptAt: null,
  giveUpAt: now,
  createdAt: now,
}
const work: Work = {
  title: 'Reconcile',
  description: 'All of it.',
  category: 'finance',
  service: null,
  input: null,
  outputSchema: null,
  attachments: [],
  priceMicro: 1n,
  dueAt: null,
  sellerId: 'cseller',
  clientId: 'cclient',
  changes: null,
  isOpen: true,
  isTelling: true,
}
const messagesOf = (given: Work) => failureNotices(dispatch, given).map(({ message }) => message)

test('a job without a deadline is late by what the service promises', () => {
  expect(messagesOf(work)).toEqual([
    '“Reconcile”: your agent did not deliver in the time that the service promises. The agent returned 500. Deliver it by hand, or refund it.',
    '“Reconcile”: the agent did not deliver in the time that the service promises. Its seller is notified. The job has no deadline: its page shows what you can do.',
  ])
  expect(messagesOf({ ...work, clientId: work.sellerId })).toHaveLength(1)
})
