import { join } from 'node:path'
import { defineConfig } from 'hardhat/config'

// The compiler is the one of the npm package, so that a build needs no network.
const compilerPath = join(import.meta.dirname, 'scripts/compiler.mjs')

export default defineConfig({
  paths: {
    sources: './contracts',
    tests: { solidity: './contracts' },
    cache: './cache',
    artifacts: './artifacts',
  },
  solidity: {
    version: '0.8.37',
    path: compilerPath,
    // Contracts and tests are compiled together: half of what a test needs is the contracts again.
    splitTestsCompilation: false,
    settings: {
      // Base runs Cancun and everything after it; the reentrancy guard uses its transient storage.
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 10_000 },
      // Without the metadata hash the bytecode depends on code alone: comments and paths never move an address.
      metadata: { bytecodeHash: 'none' },
    },
  },
  test: {
    solidity: {
      // 2026-01-01T00:00:00Z: tests that subtract from the present never meet zero.
      blockTimestamp: 1_767_225_600n,
      fuzz: { runs: 256, seed: '0x8453' },
      invariant: { runs: 64, depth: 500, failOnRevert: false },
    },
  },
})
