// Compiles the contracts that run outside the Solidity tests and writes what src/generated holds of them. The Solidity
// tests fail when a file is out of date.
//
//   node packages/chain/scripts/generate.mjs                 writes every file
//   node packages/chain/scripts/generate.mjs TestUsdc ...    writes only the named contracts

import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import hardhatConfig from '../hardhat.config.ts'
import {
  CONTRACTS,
  findOutdated,
  findStrangers,
  generatedDir,
  render,
  renderAll,
} from './generated-files.mjs'

const packageRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

/** Compiles straight from the sources, past the artifact cache, so that a stale or half-written cache can never end up in a committed file. */
async function compile(names) {
  const hre = await createHardhatRuntimeEnvironment(hardhatConfig, {}, packageRoot)
  const sourcePaths = names.map((name) => path.join(packageRoot, CONTRACTS[name].source))
  const planned = await hre.solidity.getCompilationJobs(sourcePaths, { quiet: true, force: true })
  if (!('compilationJobsPerFile' in planned)) throw new Error(planned.formattedReason)

  const artifacts = new Map()
  for (const job of new Set(planned.compilationJobsPerFile.values())) {
    const { output } = await hre.solidity.runCompilationJob(job, { quiet: true })
    const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
    if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'))
    for (const [inputName, contracts] of Object.entries(output.contracts ?? {})) {
      for (const [name, contract] of Object.entries(contracts)) {
        if (CONTRACTS[name] && inputName.endsWith(CONTRACTS[name].source)) {
          artifacts.set(name, artifactOf(contract))
        }
      }
    }
  }
  return artifacts
}

/** A contract of the compiler's output in the shape of Hardhat's artifacts. */
function artifactOf({ abi, evm }) {
  return {
    abi,
    bytecode: `0x${evm.bytecode.object}`,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
    immutableReferences: evm.deployedBytecode.immutableReferences,
  }
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !CONTRACTS[name])
if (unknown.length > 0) {
  throw new Error(
    `Unknown contract ${unknown.join(', ')}; the list has ${Object.keys(CONTRACTS).join(', ')}.`,
  )
}
const names = wanted.length > 0 ? wanted : Object.keys(CONTRACTS)

const artifacts = await compile(names)
for (const name of names) {
  if (!artifacts.has(name)) throw new Error(`${CONTRACTS[name].source} holds no contract ${name}.`)
}
const files =
  wanted.length > 0
    ? new Map(names.map((name) => [name, render(name, artifacts.get(name))]))
    : renderAll(artifacts)
await mkdir(generatedDir, { recursive: true })
const outdated = await findOutdated(files)
for (const name of outdated) await writeFile(path.join(generatedDir, `${name}.ts`), files.get(name))
const strangers = await findStrangers()
if (strangers.length > 0) {
  throw new Error(`src/generated holds files of no listed contract: ${strangers.join(', ')}.`)
}
console.log(`${names.length} contracts compiled, ${outdated.length} files written.`)
