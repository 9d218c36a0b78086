import type { ViewedPart } from '@agent-marketplace/contract'
import type { Random } from './random.ts'
import { DEMO_SPAN_SECONDS, SLOT_SECONDS } from './span.ts'

/** Somebody opens a page of an agent. */
export interface PlannedVisit {
  /** Its position in the plan. */
  agent: number
  /** From the beginning. */
  seconds: number
  part: ViewedPart
}

interface VisitedAgent {
  joinSlot: number
}

interface VisitedJob {
  agent: number
  slot: number
}

const DAY_SECONDS = 24 * 3600
/** How many of those who look open the order form. */
const FORM_SHARE = 0.12

/** Most visitors only look. Each job has its own, so that no day has more hires than forms, or more forms than views. */
export function planVisits(
  random: Random,
  agents: readonly VisitedAgent[],
  jobs: readonly VisitedJob[],
  slotSeconds: readonly number[],
): PlannedVisit[] {
  const look = (agent: number, seconds: number, opensForm: boolean): PlannedVisit[] => [
    { agent, seconds, part: 'PROFILE' },
    ...(opensForm ? [{ agent, seconds, part: 'HIRE_FORM' as const }] : []),
  ]
  const several = (count: number, agent: number, seconds: number): PlannedVisit[] =>
    Array.from({ length: count }, () => look(agent, seconds, random.chance(FORM_SHARE))).flat()

  const ordinary = agents.flatMap(({ joinSlot }, agent) => {
    const firstDay = Math.ceil(((joinSlot + 1) * SLOT_SECONDS) / DAY_SECONDS)
    const days = Array.from({ length: DEMO_SPAN_SECONDS / DAY_SECONDS - firstDay }, (_, at) => firstDay + at)
    return days.flatMap((day) => several(random.between(0, 4), agent, (day + 0.5) * DAY_SECONDS))
  })
  const beforeHires = jobs.flatMap(({ agent, slot }) => {
    const seconds = slotSeconds[slot] ?? 0
    return [...look(agent, seconds, true), ...several(random.between(2, 5), agent, seconds)]
  })
  return [...ordinary, ...beforeHires]
}
