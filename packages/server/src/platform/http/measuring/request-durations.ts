/** The upper ends of the buckets, in seconds. What takes longer is only in the last one, +Inf. */
const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export const DURATIONS_NAME = 'http_request_duration_seconds'

interface Series {
  labels: string
  /** Responses by bucket; each is in one bucket only until the page is drawn, where they add up. */
  counts: number[]
  sumSeconds: number
}

export interface RequestDurations {
  observe(method: string, route: string, status: number, seconds: number): void
  /** The histogram in Prometheus' text format. */
  draw(): string
}

/**
 * A histogram by method, route and status. It is counted on every request and drawn once a minute, so all the work with
 * names and labels is done on first sight of a series and when it is drawn.
 */
export function createRequestDurations(): RequestDurations {
  const byRoute = new Map<string, Map<string, Map<number, Series>>>()
  const all: Series[] = []

  function seriesOf(method: string, route: string, status: number): Series {
    const byMethod = getOrAdd(byRoute, route, () => new Map<string, Map<number, Series>>())
    const byStatus = getOrAdd(byMethod, method, () => new Map<number, Series>())
    return getOrAdd(byStatus, status, () => {
      const labels = `method="${escaped(method)}",route="${escaped(route)}",status="${status}"`
      const series = { labels, counts: Array(boundsSeconds.length + 1).fill(0), sumSeconds: 0 }
      all.push(series)
      return series
    })
  }

  return {
    observe(method, route, status, seconds) {
      const series = seriesOf(method, route, status)
      let bucket = 0
      while (bucket < boundsSeconds.length && seconds > (boundsSeconds[bucket] ?? 0)) bucket += 1
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.sumSeconds += seconds
    },
    draw: () =>
      [
        `# HELP ${DURATIONS_NAME} Time from the first byte of a request to the end of its response.`,
        `# TYPE ${DURATIONS_NAME} histogram`,
        ...all.flatMap(drawSeries),
        '',
      ].join('\n'),
  }
}

function drawSeries({ labels, counts, sumSeconds }: Series): string[] {
  let total = 0
  const buckets = counts.map((count, index) => {
    total += count
    return `${DURATIONS_NAME}_bucket{le="${boundsSeconds[index] ?? '+Inf'}",${labels}} ${total}`
  })
  return [
    ...buckets,
    `${DURATIONS_NAME}_sum{${labels}} ${sumSeconds}`,
    `${DURATIONS_NAME}_count{${labels}} ${total}`,
  ]
}

function escaped(label: string): string {
  return label.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
