import { readFileSync } from 'node:fs'
import { jobStatuses, paymentMethods } from '@agent-marketplace/contract'
import { expect, test } from 'vitest'
import { isEnded } from '../job.ts'
import { renderTransitions } from './diagram.ts'
import { actions, targetsOf, transitions } from './transitions.ts'

const railsOf = (rail: string) =>
  rail === 'ANY' ? paymentMethods : paymentMethods.filter((one) => one === rail)

test('for every caller and state, at most one row applies', () => {
  const seen = new Set<string>()
  for (const { action, from, by, rail } of transitions) {
    for (const party of by) {
      for (const one of railsOf(rail)) {
        const question = `${action} ${from} ${party} ${one}`
        expect(seen, question).not.toContain(question)
        seen.add(question)
      }
    }
  }
})

test('every action is in the table, and nothing leaves an ended job', () => {
  expect(new Set(transitions.map(({ action }) => action))).toEqual(new Set(actions))
  for (const row of transitions.filter(({ from }) => isEnded(from)))
    expect(targetsOf(row)).toEqual([row.from])
})

test('on both rails every job that is not ended can come to an end', () => {
  for (const rail of paymentMethods) {
    const rows = transitions.filter((row) => railsOf(row.rail).includes(rail))
    const ending = new Set<string>(['COMPLETED', 'CANCELLED'])
    for (let round = 0; round < jobStatuses.length; round += 1) {
      for (const row of rows) if (targetsOf(row).some((status) => ending.has(status))) ending.add(row.from)
    }
    const reached = new Set(['PENDING', ...rows.flatMap(targetsOf)])
    for (const status of reached) expect(ending, `${rail} ${status}`).toContain(status)
  }
})

test('money moves on the rail that holds it: only escrow jobs have orders to the escrow', () => {
  for (const { rail, effect } of transitions) {
    if (effect?.startsWith('escrow.')) expect(rail).toBe('ESCROW')
    if (effect === 'x402.settle') expect(rail).toBe('X402')
  }
})

test('the page about jobs shows this very table', () => {
  const page = readFileSync(new URL('../../../../../../../docs/flows/job.md', import.meta.url), 'utf8')
  expect(page, 'run `node docs/flows/job.ts`').toContain(renderTransitions())
})
