// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @notice The test runner's cheatcodes, as far as our tests use them.
///
/// @dev They live at the address that the runner reserves for them: `keccak256("hevm cheat code")`, cut to 20 bytes.
interface Vm {
    struct Log {
        bytes32[] topics;
        bytes data;
        address emitter;
    }

    function addr(uint256 privateKey) external pure returns (address account);
    function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
    function publicKeyP256(uint256 privateKey) external pure returns (uint256 x, uint256 y);
    function signP256(uint256 privateKey, bytes32 digest) external pure returns (bytes32 r, bytes32 s);
    function label(address account, string calldata name) external;

    function warp(uint256 timestamp) external;
    function chainId(uint256 id) external;
    function deal(address account, uint256 balance) external;
    function etch(address target, bytes calldata code) external;
    function load(address target, bytes32 slot) external view returns (bytes32 value);
    function store(address target, bytes32 slot, bytes32 value) external;
    function getNonce(address account) external view returns (uint64 nonce);

    function prank(address sender) external;
    function startPrank(address sender) external;
    function stopPrank() external;

    function assume(bool condition) external pure;
    function expectRevert() external;
    function expectRevert(bytes4 selector) external;
    function expectRevert(bytes calldata reason) external;
    function expectPartialRevert(bytes4 selector) external;
    function expectEmit() external;
    function expectEmit(address emitter) external;
    function expectCall(address callee, bytes calldata data) external;
    function mockCall(address callee, bytes calldata data, bytes calldata returned) external;
    function mockCallRevert(address callee, bytes calldata data, bytes calldata reason) external;
    function clearMockedCalls() external;
    function recordLogs() external;
    function getRecordedLogs() external returns (Log[] memory logs);

    function snapshotState() external returns (uint256 id);
    function revertToState(uint256 id) external returns (bool found);
    function snapshotGasLastCall(string calldata group, string calldata name) external returns (uint256 gas);

    function assertTrue(bool condition) external pure;
    function assertTrue(bool condition, string calldata message) external pure;
    function assertFalse(bool condition) external pure;
    function assertFalse(bool condition, string calldata message) external pure;
    function assertEq(bool left, bool right) external pure;
    function assertEq(uint256 left, uint256 right) external pure;
    function assertEq(uint256 left, uint256 right, string calldata message) external pure;
    function assertEq(int256 left, int256 right) external pure;
    function assertEq(address left, address right) external pure;
    function assertEq(bytes32 left, bytes32 right) external pure;
    function assertEq(string calldata left, string calldata right) external pure;
    function assertEq(bytes calldata left, bytes calldata right) external pure;
    function assertNotEq(uint256 left, uint256 right) external pure;
    function assertNotEq(address left, address right) external pure;
    function assertNotEq(bytes32 left, bytes32 right) external pure;
    function assertGe(uint256 left, uint256 right) external pure;
    function assertGe(uint256 left, uint256 right, string calldata message) external pure;
    function assertLe(uint256 left, uint256 right) external pure;
    function assertLe(uint256 left, uint256 right, string calldata message) external pure;
    function assertGt(uint256 left, uint256 right) external pure;
    function assertLt(uint256 left, uint256 right) external pure;
}
