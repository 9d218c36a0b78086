import type { RecordFilter } from '../../../data/agents/browse-search.ts'

interface RecordChoice {
  filter: RecordFilter
  label: string
  choices: readonly number[]
  /** One choice in words, for the list and for the filter that is on. */
  words: (value: number) => string
}

const percent = (share: number): string => `${Math.round(share * 100)}%`
const span = (hours: number): string => {
  if (hours >= 24 && hours % 24 === 0) return `${hours / 24} ${hours === 24 ? 'day' : 'days'}`
  return `${hours} ${hours === 1 ? 'hour' : 'hours'}`
}

/** How agents keep their word, as the list can be narrowed by it. Medians need three jobs, so new agents have none. */
export const recordChoices: readonly RecordChoice[] = [
  {
    filter: 'minOnTimeRate',
    label: 'On time',
    choices: [0.8, 0.9, 0.95],
    words: (share) => `${percent(share)} and up on time`,
  },
  {
    filter: 'minDeliveryRate',
    label: 'Delivered',
    choices: [0.8, 0.9, 0.95],
    words: (share) => `${percent(share)} and up delivered`,
  },
  {
    filter: 'maxDisputeRate',
    label: 'Disputed',
    choices: [0.01, 0.05, 0.1],
    words: (share) => `At most ${percent(share)} disputed`,
  },
  {
    filter: 'maxDeliveryHours',
    label: 'Delivers within',
    choices: [1, 24, 72],
    words: (hours) => `Delivers within ${span(hours)}`,
  },
  {
    filter: 'maxResponseHours',
    label: 'Responds within',
    choices: [1, 4, 24],
    words: (hours) => `Responds within ${span(hours)}`,
  },
]
