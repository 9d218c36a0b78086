const DAY_SECONDS = 24 * 3600
const TEN_MINUTES_SECONDS = 600
const NEW_YORK = 'America/New_York'

/** What is wrong with the clocks of the two processes, in seconds ahead of the right time. */
export interface WrongClocks {
  service: number
  database: number
}

export interface Case {
  name: string
  wrong: WrongClocks
  /** Of both processes. */
  timeZone: string
  /** The case begins at the first such day. */
  beginsOn: (day: Date) => boolean
}

const right: WrongClocks = { service: 0, database: 0 }

const skewed = (name: string, wrong: Partial<WrongClocks>): Case => ({
  name,
  wrong: { ...right, ...wrong },
  timeZone: 'UTC',
  beginsOn: () => true,
})

const skews = [
  { words: '10 minutes ahead', seconds: TEN_MINUTES_SECONDS },
  { words: '10 minutes behind', seconds: -TEN_MINUTES_SECONDS },
  { words: 'a day ahead', seconds: DAY_SECONDS },
  { words: 'a day behind', seconds: -DAY_SECONDS },
]

/** Days of the calendar on which a review window or a period that is reckoned in local time has another length. */
const calendar = (name: string, timeZone: string, isThatDay: (day: Date) => boolean): Case => ({
  name,
  wrong: right,
  timeZone,
  // Three days before it, so that it lies in the review window of every job.
  beginsOn: (day) => isThatDay(addDays(day, 3)),
})

export const cases: readonly Case[] = [
  ...skews.map(({ words, seconds }) => skewed(`service ${words}`, { service: seconds })),
  ...skews.map(({ words, seconds }) => skewed(`database ${words}`, { database: seconds })),
  skewed('service a day ahead, database a day behind', { service: DAY_SECONDS, database: -DAY_SECONDS }),
  calendar('an hour is repeated', NEW_YORK, (day) => hoursOf(day) === 25),
  calendar('an hour is missing', NEW_YORK, (day) => hoursOf(day) === 23),
  calendar('a 29th of February', 'UTC', (day) => day.toISOString().slice(5, 10) === '02-29'),
]

const addDays = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY_SECONDS * 1000)

/** Between this time of the day in New York and the same one of the next day. */
function hoursOf(day: Date): number {
  const [from, to] = [offsetHours(day), offsetHours(addDays(day, 1))]
  return 24 + from - to
}

/** Of New York, from UTC. */
function offsetHours(time: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone: NEW_YORK, timeZoneName: 'longOffset' })
  const name = parts.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return Number(name.replace(/^GMT/, '').split(':')[0])
}
