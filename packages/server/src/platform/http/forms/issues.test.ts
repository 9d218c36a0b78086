import { AppError, createJob, updateAgent, updateWebhook } from '@agent-marketplace/contract'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { createBodyValidator, createTextValidator } from './validate.ts'

function refusalOf(validate: (value: unknown) => unknown, value: unknown): AppError {
  try {
    validate(value)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('it was taken')
}

const job = createBodyValidator(createJob.body ?? fail())
const order = { agentId: 'cmi0a1b2c3d4e5f6g7h8i9j0k', title: 'T', description: 'D', agreedPrice: '1' }
const now = '2026-11-15T09:30:00Z'

function fail(): never {
  throw new Error('there is no body')
}

test.each([
  [undefined, 'The body must be an object.'],
  [{ agentId: order.agentId, description: 'D', agreedPrice: '1' }, 'title is required.'],
  [{ ...order, title: ' ' }, 'title must not be blank.'],
  [{ ...order, title: '\u200B \u2060' }, 'title must not be blank.'],
  [{ ...order, title: '' }, 'title must not be empty.'],
  [{ ...order, agreedPrice: 5 }, 'agreedPrice must be a string.'],
  [{ ...order, attachments: ['x'] }, 'attachments.0 must be an IPFS address such as ipfs://bafkrei….'],
  [{ ...order, deadlineHours: 0 }, 'deadlineHours must be at least 1.'],
  [{ ...order, deadline: 'soon' }, 'deadline must be a date and time such as 2026-11-15T09:30:00Z.'],
  [{ ...order, deadline: now, deadlineHours: 1 }, 'The body must have deadlineHours or deadline, not both.'],
])('%o is refused in words: %s', (body, message) => {
  expect(refusalOf(job, body).message).toBe(message)
})

test('an amount with a point gets an explanation of micro-units', () => {
  const { message, details } = refusalOf(job, { ...order, agreedPrice: '12.50' })
  expect(message).toContain('USDC micro-units without a point')
  expect(details.issues).toMatchObject([{ path: '/agreedPrice' }])
})

test('each field is named once, with the first thing that is wrong', () => {
  const issues = refusalOf(job, { ...order, title: '', agentId: '' }).details.issues
  expect(issues).toMatchObject([{ path: '/agentId' }, { path: '/title', message: 'must not be empty' }])
})

test.each([updateAgent, updateWebhook])('a change of nothing known names what can be changed', ({ body }) => {
  const validate = createBodyValidator(body ?? fail())
  for (const nothing of [{}, { colour: 'red' }]) {
    expect(refusalOf(validate, nothing).message).toContain('The body must have at least one of ')
  }
})

test('a query says which words it knows', () => {
  const sort = Type.Unsafe({ type: 'string', enum: ['rating', 'price'] })
  const validate = createTextValidator('query', Type.Object({ sort, limit: Type.Integer({ maximum: 9 }) }))
  expect(refusalOf(validate, { sort: 'size', limit: '10' }).details.issues).toEqual([
    { path: '/sort', message: 'must be one of rating, price' },
    { path: '/limit', message: 'must be at most 9' },
  ])
})
