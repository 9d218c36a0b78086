type Steps = readonly (() => Promise<unknown>)[]
type Settled<Given extends Steps> = {
  -readonly [Place in keyof Given]: PromiseSettledResult<Awaited<ReturnType<Given[Place]>>>
}

/** All steps side by side; one that fails stops none of the others. */
export async function settleAtOnce<const Given extends Steps>(steps: Given): Promise<Settled<Given>> {
  return (await Promise.allSettled(steps.map((step) => step()))) as Settled<Given>
}

/** The same, one after the other. */
export async function settleInTurn<const Given extends Steps>(steps: Given): Promise<Settled<Given>> {
  const settled: PromiseSettledResult<unknown>[] = []
  for (const step of steps) settled.push(...(await Promise.allSettled([step()])))
  return settled as Settled<Given>
}

/** In a fixed order, so that a simulation can be repeated; one that fails does not keep the others from their turn. */
export async function allInTurn<Result>(steps: readonly (() => Promise<Result>)[]): Promise<Result[]> {
  const settled: PromiseSettledResult<Result>[] = await settleInTurn(steps)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  })
}
