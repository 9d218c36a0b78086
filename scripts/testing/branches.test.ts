import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import hardhatConfig from '../../packages/chain/hardhat.config.ts'
import { findBranches } from '../../packages/chain/scripts/branches/find-branches.ts'
import { measureBranches } from '../../packages/chain/scripts/branches/measure.ts'
import { summarize, writeReport } from '../../packages/chain/scripts/branches/report.ts'

const header = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.37;\n'

const gate = `${header}
/// @notice Öffnet – offsets are in bytes, not in characters.
contract Gate {
    modifier below(uint256 amount, uint256 limit) {
        require(amount < limit, "too much");
        _;
    }

    function pass(uint256 amount, bool open) external pure below(amount, 50) returns (uint256 steps) {
        require(amount > 0, "nothing");
        if ((amount > 10 || amount == 7) && !(open && amount < 20)) return 0;
        for (uint256 i; i < (amount > 4 ? 2 : 1); ++i) ++steps;
    }

    function tryPass(Gate other, uint256 amount) external pure below(amount, 9) returns (uint256) {
        try other.pass(amount, true) returns (uint256 steps) {
            return steps;
        } catch {
            return 1;
        }
    }
}
`

const gateTest = `${header}
import {Gate} from "./Gate.sol";

contract GateTest {
    Gate private gate = new Gate();

    function test_an_amount_below_the_limit() public view {
        require(gate.pass(3, true) == 1);
    }

    function test_an_amount_above_it() public view {
        require(gate.pass(12, false) == 0);
    }

    function test_what_reverts_was_taken_too() public view {
        require(gate.tryPass(gate, 0) == 1);
        try gate.tryPass(gate, 9) {} catch {}
    }
}
`

test('outcomes that no test takes are named, and nothing else', async () => {
  const root = await mkdtemp(join(tmpdir(), 'branches-'))
  const files = {
    'package.json': '{ "type": "module" }',
    'contracts/Gate.sol': gate,
    'contracts/Gate.t.sol': gateTest,
    'contracts/mocks/Mock.sol': gate
      .replace('contract Gate', 'contract Mock')
      .replaceAll('Gate other', 'Mock other'),
  }
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true })
    await writeFile(join(root, name), text)
  }

  const { branches, testsPassed } = await measureBranches(root, hardhatConfig)
  await rm(root, { recursive: true })

  expect(testsPassed).toBe(true)
  const report = writeReport(branches)
  expect(report.split('\n').filter((line) => line.startsWith('  '))).toEqual([
    '  contracts/Gate.sol:11  never false: below(amount, 50): amount < limit',
    '  contracts/Gate.sol:13  never true: amount == 7',
    '  contracts/Gate.sol:13  never true: open',
    '  contracts/Gate.sol:13  never true: amount < 20',
    '  contracts/Gate.sol:13  never false: amount < 20',
    '  contracts/Gate.sol:14  never true: amount > 4',
    '  contracts/Gate.sol:18  never taken: { return steps; }',
  ])
  expect(summarize(branches)).toEqual({ branches: 11, outcomes: 20, taken: 13, percent: 65 })
  expect(report).toMatch(/^Gate +11 +20 +13 +65\.0$/m)
})

test('a modifier that is named with its contract is found', () => {
  const named = `${header}contract A { modifier m() { _; } } contract B is A { function f() external A.m {} }`
  expect(findBranches(named, 'Named.sol').uses).toMatchObject([{ modifier: 'm', contract: 'B' }])
})

test('a file whose branches cannot all be found is rejected', () => {
  const assembly = `${header}contract Low { function f() external pure { assembly { if 1 { stop() } } } }`
  expect(() => findBranches(assembly, 'Low.sol')).toThrow('Low.sol has assembly')
  const virtual = `${header}contract High { modifier m() virtual { _; } }`
  expect(() => findBranches(virtual, 'High.sol')).toThrow('High.sol has the virtual modifier m')
  expect(() => findBranches('contract {', 'Broken.sol')).toThrow('Broken.sol could not be parsed')
})
