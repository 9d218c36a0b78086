// Runs the Solidity tests on contracts that report the outcomes of their branches, and returns which of them were taken.

import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import type { HardhatUserConfig } from 'hardhat/config'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import { type Found, findBranches } from './find-branches.ts'
import { instrument } from './instrument.ts'
import { type NumberedBranch, numberBranches } from './number-branches.ts'
import { outcomeId, REPORTER, REPORTER_FILE } from './reporter.ts'

export interface MeasuredBranch extends NumberedBranch {
  outcomes: { name: string; isTaken: boolean }[]
}

export interface Measured {
  branches: MeasuredBranch[]
  testsPassed: boolean
}

/** Tests, and what only they use: contracts are everything else. */
const forTests = [/\.t\.sol$/, /^contracts\/(mocks|testing)\//, /\/invariants\//]

/** Hardhat keeps its reports in this folder of the project; what is compiled for them goes there too. */
const FOLDER = 'coverage'

export async function measureBranches(root: string, config: HardhatUserConfig): Promise<Measured> {
  const folder = path.join(root, FOLDER)
  await rm(folder, { recursive: true, force: true })
  const found = await findBelow(root)
  const numbered = numberBranches(found)
  const hre = await createHardhatRuntimeEnvironment(
    {
      ...config,
      paths: {
        ...config.paths,
        cache: path.join(folder, 'cache'),
        artifacts: path.join(folder, 'artifacts'),
      },
      // Hardhat's own count of statements is not wanted.
      coverage: { skipFiles: ['**'] },
    },
    { coverage: true },
    root,
  )
  hre.hooks.registerHandlers('solidity', {
    async preprocessProjectFileBeforeBuilding(context, sourceName, fsPath, source, version, next) {
      const file = nameOf(root, fsPath)
      const own = found.get(file)
      const written = own ? instrument(source, file, own, numbered) : source
      return next(context, sourceName, fsPath, written, version)
    },
    async preprocessSolcInputBeforeBuilding(context, input, next) {
      input.sources[REPORTER_FILE] = { content: REPORTER }
      return next(context, input)
    },
  })
  // Without this Hardhat prints a report that has no files.
  hre.hooks.registerHandlers('test', { async onTestRunDone() {} })
  const { success } = await hre.tasks.getTask(['test', 'solidity']).run({})

  const taken = await takenOutcomes(folder)
  await rm(folder, { recursive: true })
  const branches = numbered.branches.map((branch, number) => {
    const names = branch.kind === 'arm' ? ['taken'] : ['true', 'false']
    const outcomes = names.map((name, place) => ({ name, isTaken: taken.has(outcomeId(number, place)) }))
    return { ...branch, outcomes }
  })
  return { branches, testsPassed: success }
}

async function findBelow(root: string): Promise<Map<string, Found>> {
  const entries = await readdir(path.join(root, 'contracts'), { recursive: true, withFileTypes: true })
  const files = entries.map((entry) => nameOf(root, path.join(entry.parentPath, entry.name)))
  const found = new Map<string, Found>()
  for (const file of files.sort()) {
    if (!file.endsWith('.sol') || forTests.some((pattern) => pattern.test(file))) continue
    found.set(file, findBranches(await readFile(path.join(root, file), 'utf8'), file))
  }
  return found
}

/** Hardhat writes what was reported to files: the 32 bytes of each report, once. */
async function takenOutcomes(folder: string): Promise<Set<number>> {
  const data = path.join(folder, 'data/solidity')
  const taken = new Set<number>()
  for (const name of await readdir(data)) {
    const reports = JSON.parse(await readFile(path.join(data, name), 'utf8'))
    for (const report of Object.keys(reports)) taken.add(Number(`0x${report}`))
  }
  return taken
}

const nameOf = (root: string, file: string): string => path.relative(root, file).replaceAll('\\', '/')
