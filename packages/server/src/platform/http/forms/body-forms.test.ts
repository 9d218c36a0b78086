import {
  allEndpoints,
  createAgent,
  createJob,
  type Endpoint,
  exampleAgentA,
  exampleAgentB,
  type TwoForms,
} from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import { createBodyValidator } from './validate.ts'

const readerOf = ({ id, body }: Endpoint) => {
  if (!body) throw new Error(`${id} has no body`)
  return createBodyValidator(body)
}
const readAgent = readerOf(createAgent)
const readJob = readerOf(createJob)

describe('fields that are known are never dropped', () => {
  const twoFormed = allEndpoints.flatMap(({ id, body }) =>
    body?.kind === 'two' ? [[id, body] as const] : [],
  )
  const namesIn = (schema: object) => Object.keys((schema as { properties: object }).properties)

  test.each(twoFormed)(
    '%s: each form knows the fields of the other, or has another name for them',
    (_id, forms) => {
      const { a, b, renamed = {} }: TwoForms = forms
      const inB = [...namesIn(b), ...Object.keys(renamed)]
      const inA = [...namesIn(a), ...Object.values(renamed)]
      expect(namesIn(a).filter((name) => !inB.includes(name))).toEqual([])
      expect(namesIn(b).filter((name) => !inA.includes(name))).toEqual([])
    },
  )

  test('spending limits, skills and services count in form A', () => {
    const { skills, services, guardrails } = exampleAgentB
    expect(readAgent({ ...exampleAgentA, skills, services, guardrails, unknown: 1 })).toEqual({
      form: 'a',
      value: { ...exampleAgentA, skills, services, guardrails, customOrders: 'INSTANT' },
    })
  })

  test('two names of one field must say the same', () => {
    expect(readAgent({ ...exampleAgentA, type: 'finance' })).toMatchObject({ form: 'a' })
    expect(() => readAgent({ ...exampleAgentA, type: 'art' })).toThrow('type is another name of category')
  })
})

describe('null', () => {
  const job = { agentId: 'cmi0a1b2c3d4e5f6g7h8i9j0k', title: 'T', description: 'D', agreedPrice: '1' }

  test('is as good as nothing for what may be left out, at any depth', () => {
    const body = {
      ...exampleAgentB,
      skills: null,
      avatarUrl: null,
      services: [{ name: 'S', priceUSDC: '1', deliveryTime: null, x402Enabled: null }],
      guardrails: { sessionCapUsdc: null, perTxLimitUsdc: '5', allowedSkills: null },
    }
    expect(readAgent(body)).toMatchObject({
      form: 'b',
      value: {
        avatarUrl: null,
        services: [{ name: 'S', priceUSDC: '1', deliveryTime: 24, x402Enabled: true }],
        guardrails: { perTxLimitUsdc: '5' },
      },
    })
    expect(readAgent({ ...exampleAgentB, guardrails: null })).toMatchObject({ form: 'b' })
  })

  test('says nothing about the other form either', () => {
    expect(readJob({ ...job, deadline: null, deadlineHours: 72, attachments: null })).toMatchObject({
      form: 'a',
      value: { deadlineHours: 72, category: 'general' },
    })
    expect(readJob({ ...job, deadlineHours: null, deadline: '2026-12-01T00:00:00Z' })).toMatchObject({
      form: 'b',
    })
  })

  test('is refused where a field is required', () => {
    expect(() => readJob({ ...job, title: null })).toThrow('title must be a string')
  })
})
