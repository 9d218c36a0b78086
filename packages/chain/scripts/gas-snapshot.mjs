// The gas figures that tests take with `vm.snapshotGasLastCall(group, name)`, kept in git and checked for growth.

import { readFile, writeFile } from 'node:fs/promises'

/** Growth beyond this share of the committed figure fails the run. */
const MAX_GROWTH = 0.02

/** Every figure of a run as { "Group.name": gas }, sorted by name. */
export function collectGas(suites) {
  const figures = suites
    .flatMap((suite) => suite.testResults)
    .flatMap((test) => test.valueSnapshotGroups ?? [])
    .flatMap((group) => group.entries.map((entry) => [`${group.name}.${entry.name}`, Number(entry.value)]))
  return Object.fromEntries(figures.sort(([left], [right]) => (left < right ? -1 : 1)))
}

export async function writeGas(file, measured) {
  await writeFile(file, `${JSON.stringify(measured, null, 2)}\n`)
}

/** One sentence per figure that grew too much, is new, or is gone; an empty list means that all is well. */
export async function checkGas(file, measured) {
  const committed = JSON.parse(await readFile(file, 'utf8'))
  const problems = []
  for (const [name, gas] of Object.entries(measured)) {
    const before = committed[name]
    if (before === undefined) problems.push(`${name} (${gas}) is new; run with --update`)
    else if (gas > before * (1 + MAX_GROWTH)) problems.push(`${name} grew from ${before} to ${gas}`)
  }
  for (const name of Object.keys(committed)) {
    if (measured[name] === undefined)
      problems.push(`${name} is committed but no test measures it; run with --update`)
  }
  return problems
}
