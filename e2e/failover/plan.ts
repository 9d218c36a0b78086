import { parseArgs } from 'node:util'
import { type FaultName, faultNames } from './faults.ts'

export interface Plan {
  /** In the order in which they are done. */
  faults: FaultName[]
  pairs: number
  isSynchronous: boolean
}

/** `--kills 3 --partitions 0 …` lowers the counts; `--async` runs without synchronous replication, and must lose something. */
export function readPlan(args: readonly string[]): Plan {
  const { values } = parseArgs({
    args: [...args],
    options: {
      kills: { type: 'string' },
      partitions: { type: 'string' },
      etcd: { type: 'string' },
      apis: { type: 'string' },
      workers: { type: 'string' },
      redis: { type: 'string' },
      restarts: { type: 'string' },
      pairs: { type: 'string', default: '8' },
      async: { type: 'boolean', default: false },
    },
  })
  const isSynchronous = !values.async
  const usual = isSynchronous
    ? { kills: 20, partitions: 5, etcd: 5, apis: 10, workers: 10, redis: 1, restarts: 1 }
    : { kills: 5, partitions: 0, etcd: 0, apis: 0, workers: 0, redis: 0, restarts: 0 }
  const countOf = (name: keyof typeof usual) => wholeNumber(name, values[name] ?? String(usual[name]))
  // Without synchronous replication it is the standbys that fall behind which matter.
  const kills = isSynchronous ? faultNames.slice(0, 3) : faultNames.slice(2, 3)
  const killsOf = Array.from(
    { length: countOf('kills') },
    (_, index) => kills[index % kills.length] as FaultName,
  )
  const times = (name: FaultName, count: number) => Array<FaultName>(count).fill(name)
  return {
    faults: [
      ...killsOf,
      ...times('primary cut off', countOf('partitions')),
      ...times('etcd leader lost', countOf('etcd')),
      ...times('API process killed', countOf('apis')),
      ...times('worker killed', countOf('workers')),
      ...times('Redis down and back', countOf('redis')),
      ...times('everything restarted in turn', countOf('restarts')),
    ],
    pairs: wholeNumber('pairs', values.pairs),
    isSynchronous,
  }
}

function wholeNumber(name: string, value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number) || number < 0 || number > 100)
    throw new Error(`--${name} is a number up to 100`)
  return number
}
