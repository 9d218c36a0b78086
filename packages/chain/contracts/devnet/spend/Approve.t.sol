// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {AgentRegistry} from "../../registry/AgentRegistry.sol";
import {SpendPermissionManager} from "../SpendPermissionManager.sol";
import {SpendPermissionTest} from "./SpendPermissionTest.t.sol";

contract ApproveTest is SpendPermissionTest {
    function test_typehashes_are_those_of_the_canonical_manager() public view {
        vm.assertEq(
            MANAGER.SPEND_PERMISSION_TYPEHASH(), 0xc9fa0f0252014cf89ab0539e3bb3adcb76f93e6bb6494e8cc61c14e2761ee2e4
        );
        vm.assertEq(
            MANAGER.SPEND_PERMISSION_BATCH_TYPEHASH(),
            0xe528cd8f39a864282e62a136876fbff89cfa2ebb001852b9f771aa0bc9ffc3ee
        );
        vm.assertEq(
            MANAGER.PERMISSION_DETAILS_TYPEHASH(), 0xa6d83a7a5ee257b2660352f4f65fa4f2cf2faf7b853236961cca1ac6020c3838
        );
        vm.assertEq(MANAGER.NATIVE_TOKEN(), 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE);
    }

    function test_eip712Domain_is_that_of_the_canonical_manager() public view {
        (bytes1 fields, string memory name, string memory version, uint256 chainId, address verifier,,) =
            MANAGER.eip712Domain();
        vm.assertEq(bytes32(fields), bytes32(bytes1(0x0f)));
        vm.assertEq(name, "Spend Permission Manager");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, block.chainid);
        vm.assertEq(verifier, address(MANAGER));
    }

    function testFuzz_getHash_is_the_typed_data_hash(SpendPermissionManager.SpendPermission memory any) public view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Spend Permission Manager"),
                keccak256("1"),
                block.chainid,
                address(MANAGER)
            )
        );
        bytes32 structHash = keccak256(
            bytes.concat(
                abi.encode(
                    bytes32(0xc9fa0f0252014cf89ab0539e3bb3adcb76f93e6bb6494e8cc61c14e2761ee2e4),
                    any.account,
                    any.spender,
                    any.token,
                    any.allowance
                ),
                abi.encode(any.period, any.start, any.end, any.salt, keccak256(any.extraData))
            )
        );
        vm.assertEq(MANAGER.getHash(any), keccak256(abi.encodePacked("\x19\x01", domain, structHash)));
    }

    function test_getHash_differs_by_chain() public {
        bytes32 here = MANAGER.getHash(permission);
        vm.chainId(8453);
        vm.assertNotEq(MANAGER.getHash(permission), here);
    }

    function test_approve_by_the_account() public {
        vm.assertFalse(MANAGER.isApproved(permission));
        vm.assertFalse(MANAGER.isValid(permission));
        vm.expectEmit(address(MANAGER));
        emit SpendPermissionManager.SpendPermissionApproved(MANAGER.getHash(permission), permission);
        vm.assertTrue(_approve());
        vm.assertTrue(MANAGER.isApproved(permission));
        vm.assertTrue(MANAGER.isValid(permission));
        vm.assertFalse(MANAGER.isRevoked(permission));
    }

    function test_approve_again_says_true_without_a_second_event() public {
        _approve();
        vm.recordLogs();
        vm.assertTrue(_approve());
        vm.assertEq(vm.getRecordedLogs().length, 0);
    }

    function test_approve_says_false_once_revoked() public {
        vm.prank(address(wallet));
        MANAGER.revoke(permission);
        vm.recordLogs();
        vm.assertFalse(_approve());
        vm.assertEq(vm.getRecordedLogs().length, 0);
        vm.assertFalse(MANAGER.isApproved(permission));
    }

    function testFuzz_approve_reverts_for_anyone_else(address caller) public {
        vm.assume(caller != address(wallet));
        vm.expectRevert(
            abi.encodeWithSelector(SpendPermissionManager.InvalidSender.selector, caller, address(wallet))
        );
        vm.prank(caller);
        MANAGER.approve(permission);
    }

    function test_approve_reverts_on_a_zero_token() public {
        permission.token = address(0);
        vm.expectRevert(SpendPermissionManager.ZeroToken.selector);
        _approve();
    }

    function test_approve_reverts_on_an_erc721() public {
        permission.token = address(new AgentRegistry());
        vm.expectRevert(
            abi.encodeWithSelector(SpendPermissionManager.ERC721TokenNotSupported.selector, permission.token)
        );
        _approve();
    }

    function test_approve_reverts_on_a_zero_spender() public {
        permission.spender = address(0);
        vm.expectRevert(SpendPermissionManager.ZeroSpender.selector);
        _approve();
    }

    function test_approve_reverts_on_a_zero_period() public {
        permission.period = 0;
        vm.expectRevert(SpendPermissionManager.ZeroPeriod.selector);
        _approve();
    }

    function test_approve_reverts_on_a_zero_allowance() public {
        permission.allowance = 0;
        vm.expectRevert(SpendPermissionManager.ZeroAllowance.selector);
        _approve();
    }

    function testFuzz_approve_reverts_unless_it_starts_before_it_ends(uint48 start, uint48 end) public {
        vm.assume(start >= end);
        permission.start = start;
        permission.end = end;
        vm.expectRevert(abi.encodeWithSelector(SpendPermissionManager.InvalidStartEnd.selector, start, end));
        _approve();
    }

    function test_approve_takes_a_start_in_the_past_and_the_native_token() public {
        permission.start = 1;
        permission.token = MANAGER.NATIVE_TOKEN();
        vm.assertTrue(_approve());
    }
}
