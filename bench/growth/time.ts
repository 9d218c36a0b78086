const RUNS = 9
/** Each of them makes something first. */
const PREPARED_RUNS = 3

export interface Cost {
  what: string
  ms: number
}

/** The fastest of several runs after one that does not count: other work on the machine only adds to the time. */
export async function time(
  what: string,
  run: (turn: number) => Promise<unknown>,
  runs = RUNS,
): Promise<Cost> {
  const times: number[] = []
  for (let turn = 0; turn <= runs; turn += 1) {
    const ms = await millisecondsOf(() => run(turn))
    if (turn > 0) times.push(ms)
  }
  return { what, ms: Math.min(...times) }
}

/** The same where only what follows a preparation is measured. */
export async function timeAfter(
  what: string,
  prepare: (turn: number) => Promise<unknown>,
  run: () => Promise<unknown>,
  runs = PREPARED_RUNS,
): Promise<Cost> {
  const times: number[] = []
  for (let turn = 0; turn < runs; turn += 1) {
    await prepare(turn)
    times.push(await millisecondsOf(run))
  }
  return { what, ms: Math.min(...times) }
}

async function millisecondsOf(run: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await run()
  return performance.now() - startedMs
}
