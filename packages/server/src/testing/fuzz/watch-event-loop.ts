import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Loaded into a service before its own program (`node --import`), to see from inside how long its event loop stands
 * still. Each word from the parent process gets a report on the time since the last one.
 */
export interface LoopReport {
  /** Processor time of the event loop's thread since the last report: its work, whatever else the machine does. */
  cpuMs: number
  /** How much later than asked a timer came at most since the last report. */
  lateMs: number
  /** The same since the first report. */
  delayMs: { p50: number; p99: number; max: number }
}

const RESOLUTION_MS = 1
const whole = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
const lap = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
let lastCpu = process.threadCpuUsage()

process.on('message', () => {
  // What the start of the service did is not what requests do. On a watch that runs already these change nothing.
  whole.enable()
  lap.enable()
  // By way of a timer, so that what held the loop until now has been counted.
  setTimeout(report, 2 * RESOLUTION_MS)
})

function report(): void {
  const { user, system } = process.threadCpuUsage(lastCpu)
  // The histograms hold the time from one tick to the next; what is above the time that was requested is delay.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)
  process.send?.({
    cpuMs: (user + system) / 1000,
    lateMs: late(lap.percentile(100)),
    delayMs: {
      p50: late(whole.percentile(50)),
      p99: late(whole.percentile(99)),
      max: late(whole.percentile(100)),
    },
  } satisfies LoopReport)
  lap.reset()
  lastCpu = process.threadCpuUsage()
}
