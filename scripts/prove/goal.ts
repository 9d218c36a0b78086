/** A goal of the design, the commands that measure it, and how to read what they print. */
export interface Goal {
  id: string
  name: string
  /** The number that is to be reached, in full. */
  number: string
  commands: readonly Command[]
  /** Undefined where the output has no figures. */
  read: (output: string) => Reading | undefined
  /** The part of the number that the commands do not measure: a goal with such a part is never reached as a whole. */
  unmeasured?: string
}

export interface Command {
  /** As one types it; `{seed}` stands for the seed of this run. */
  line: string
  minutesAtMost: number
}

export interface Reading {
  /** What was measured, for the table. */
  figure: string
  isReached: boolean
  seed?: string
}

export type Verdict = 'reached' | 'reached in part' | 'MISSED' | 'not measured'

export interface Row {
  id: string
  name: string
  number: string
  verdict: Verdict
  figure: string
  seed: string
  commit: string
  day: string
  commands: readonly string[]
}

/** What a command left behind. */
export interface Ended {
  /** Null where it was stopped because its time was over. */
  exitCode: number | null
  output: string
}

export interface Judgement {
  verdict: Verdict
  figure: string
  seed: string
}

/** A command that failed or printed no figures has shown nothing, and never counts as reached. */
export function judge(goal: Pick<Goal, 'read' | 'unmeasured'>, ended: readonly Ended[]): Judgement {
  const reading = goal.read(ended.map(({ output }) => output).join('\n'))
  const failed = ended.find(({ exitCode }) => exitCode !== 0)
  const seed = reading?.seed ?? '–'
  if (failed || ended.length === 0) {
    const why =
      failed?.exitCode === null ? 'stopped: its time was over' : `failed with exit code ${failed?.exitCode}`
    return { verdict: 'MISSED', figure: reading ? `${reading.figure}; ${why}` : why, seed }
  }
  if (!reading) return { verdict: 'not measured', figure: 'the command printed no figures', seed }
  const { unmeasured } = goal
  const figure = unmeasured === undefined ? reading.figure : `${reading.figure}. Not measured: ${unmeasured}`
  if (!reading.isReached) return { verdict: 'MISSED', figure, seed }
  return { verdict: unmeasured === undefined ? 'reached' : 'reached in part', figure, seed }
}
