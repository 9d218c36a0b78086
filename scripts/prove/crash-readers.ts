import { figuresOf, grouped, numberIn } from './figures.ts'
import type { Reading } from './goal.ts'

/** One run serves both goals about crashes: it kills first the server, then its database alone. */
export const readCrash =
  (goal: { kills: number; readySeconds: number; of: 'server' | 'database' }) =>
  (output: string): Reading | undefined => {
    const [row, after] =
      goal.of === 'server'
        ? ['of the server', 'ready after the server']
        : ['of the database alone', 'served after the database']
    const kills = numberIn(output, new RegExp(`^kills ${row}\\s+(\\d+)`, 'm'))
    const [, mean, worst] =
      new RegExp(`^${after}\\s+([\\d.]+) s on average, ([\\d.]+) s at worst`, 'm').exec(output) ?? []
    const acknowledged = numberIn(output, /^acknowledged writes\s+(\d+)/m)
    const lost = numberIn(output, /^lost or doubled\s+(\d+)/m)
    if (kills === undefined || worst === undefined || acknowledged === undefined || lost === undefined)
      return undefined
    return {
      figure: `${kills} kills, ${grouped(acknowledged)} acknowledged writes, ${lost} lost or doubled, ready after ${mean} s on average, ${worst} s at worst`,
      isReached: kills >= goal.kills && lost === 0 && Number(worst) <= goal.readySeconds && acknowledged > 0,
    }
  }

/** Kills at random moments, and crashes of the engine at each step where a crash could lose or double a payment. */
export const readServerCrash =
  (goal: { kills: number; readySeconds: number; points: number; crashesAtEach: number }) =>
  (output: string): Reading | undefined => {
    const killed = readCrash({ ...goal, of: 'server' })(output)
    const points = figuresOf(output, 'G2').map(({ crashes = 0 }) => crashes)
    if (!killed || points.length === 0) return undefined
    return {
      figure: `${killed.figure}; ${Math.min(...points)} crashes of the engine at each of ${points.length} named points, each payment made once`,
      isReached:
        killed.isReached && points.length >= goal.points && Math.min(...points) >= goal.crashesAtEach,
    }
  }

/** The start that counts is one without demo data that finds nothing prepared; the logs are those of the crash run. */
export function readSecretsAndStart(output: string): Reading | undefined {
  const seconds = numberIn(
    output,
    /([\d.]+) \(goal [^)]*\) {2}cold start to ready without demo data, where nothing is prepared/,
  )
  const [, leaked, secrets, lines] = /^secrets in logs\s+(\d+) of (\d+) in (\d+) lines/m.exec(output) ?? []
  if (seconds === undefined || secrets === undefined || !/Test Files\s+1 passed/.test(output))
    return undefined
  return {
    figure: `${leaked} of ${secrets} secrets in ${grouped(Number(lines))} lines of logs; lockfile exact; cold start ${seconds} s`,
    isReached: leaked === '0' && Number(secrets) >= 10 && Number(lines) >= 1_000 && seconds <= 1,
  }
}
