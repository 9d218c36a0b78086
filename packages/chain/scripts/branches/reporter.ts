// The function through which instrumented contracts report outcomes: a call to the address at which Hardhat's coverage
// listens, with the number of the outcome. It is disguised as pure, as Hardhat's own reports are, because pure functions
// have branches too.

export const REPORTER_FILE = 'branches/Reporter.sol'

export const REPORTER = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

library BranchReporter {
    function seen(bool value, uint256 branch) internal pure returns (bool) {
        _pure(_report)(branch * 2 + (value ? 0 : 1));
        return value;
    }

    function _report(uint256 outcome) private view {
        assembly ("memory-safe") {
            let free := mload(0x40)
            mstore(free, outcome)
            pop(staticcall(gas(), 0xc0bEc0BEc0BeC0bEC0beC0bEC0bEC0beC0beC0BE, free, 32, 0, 0))
        }
    }

    function _pure(function(uint256) view impure) private pure returns (function(uint256) pure disguised) {
        assembly {
            disguised := impure
        }
    }
}
`

/** As the reporter counts: the first outcome of a condition is that it is true, of an arm that it is taken. */
export const outcomeId = (branch: number, place: number): number => branch * 2 + place
