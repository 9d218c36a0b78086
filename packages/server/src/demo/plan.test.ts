import { JOB_TITLE_MAX_LENGTH, jobStatuses, railFor } from '@agent-marketplace/contract'
import { describe, expect, test } from 'vitest'
import { MAX_DEMO_AGENTS, planDemo } from './plan.ts'
import { DEMO_SPAN_SECONDS, LAST_SLOT, SLOT_SECONDS } from './span.ts'

test('the same every time', () => {
  expect(planDemo(20)).toEqual(planDemo(20))
})

test('names are nobody else’s within the cast', () => {
  const { agents } = planDemo(MAX_DEMO_AGENTS)
  expect(agents).toHaveLength(40)
  expect(new Set(agents.map(({ agent }) => agent)).size).toBe(40)
  expect(new Set(agents.map(({ company }) => company)).size).toBe(40)
  for (const { small, large } of agents) {
    expect(small.price).toBeLessThan(100)
    expect(large.price).toBeGreaterThanOrEqual(100)
  }
})

describe.each([2, 6, 17, MAX_DEMO_AGENTS])('with %i agents', (agentCount) => {
  const plan = planDemo(agentCount)

  test('time only moves forward, each moment in its own slot', () => {
    for (const [slot, seconds] of plan.slotSeconds.entries())
      expect(Math.floor(seconds / SLOT_SECONDS)).toBe(slot)
  })

  test('every job fits its rail, its title and its time, and is opened after its agent has come', () => {
    for (const job of plan.jobs) {
      expect(job.title.length, job.title).toBeLessThanOrEqual(JOB_TITLE_MAX_LENGTH)
      expect(railFor(job.priceMicro).method).toBe(job.rail)
      expect(job.slot).toBeGreaterThan(plan.agents[job.agent]?.joinSlot ?? LAST_SLOT)
      const slots = [job.slot, ...job.steps.map(({ slot }) => slot)]
      expect(slots).toEqual(slots.toSorted((one, other) => one - other))
      expect(Math.max(...slots, job.dueSlot ?? 0)).toBeLessThanOrEqual(LAST_SLOT)
    }
  })

  test('on each day an agent is looked at more than its form is opened, and that more than it is hired', () => {
    const dayOf = (seconds: number) => Math.floor(seconds / 86_400)
    for (const [agent, { joinSlot }] of plan.agents.entries()) {
      const visits = plan.visits.filter((visit) => visit.agent === agent)
      const jobs = plan.jobs.filter((job) => job.agent === agent)
      expect(Math.min(...visits.map(({ seconds }) => seconds))).toBeGreaterThan(joinSlot * SLOT_SECONDS)
      expect(Math.max(...visits.map(({ seconds }) => seconds))).toBeLessThan(DEMO_SPAN_SECONDS)
      expect(visits.length).toBeGreaterThan(3 * jobs.length)
      const hires = Map.groupBy(jobs, ({ slot }) => dayOf(plan.slotSeconds[slot] ?? 0))
      for (const [day, ofDay] of Map.groupBy(visits, ({ seconds }) => dayOf(seconds))) {
        const forms = ofDay.filter(({ part }) => part === 'HIRE_FORM').length
        expect(ofDay.length - forms).toBeGreaterThanOrEqual(forms)
        expect(forms).toBeGreaterThanOrEqual(hires.get(day)?.length ?? 0)
      }
    }
  })

  test('every status is reached, and one dispute is open', () => {
    expect(new Set(plan.jobs.map(({ endsAs }) => endsAs))).toEqual(new Set(jobStatuses))
    expect(plan.jobs.filter(({ endsAs }) => endsAs === 'DISPUTED')).toHaveLength(1)
  })

  test('the newcomer’s buyer and seller have work with each other', () => {
    const shared = plan.jobs.filter(
      ({ agent, buyer, endsAs }) => agent + buyer === 0 && endsAs !== 'COMPLETED',
    )
    expect(shared.map(({ endsAs }) => endsAs)).toEqual(
      expect.arrayContaining(['UNDER_REVIEW', 'IN_PROGRESS', 'PENDING']),
    )
  })
})
