// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {UsdcTest} from "./UsdcTest.t.sol";

contract PermitsTest is UsdcTest {
    bytes32 private constant PERMIT = 0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9;

    function test_typehash_is_that_of_the_standard() public view {
        vm.assertEq(usdc.PERMIT_TYPEHASH(), PERMIT);
    }

    function testFuzz_permit_sets_the_allowance(uint256 value, uint256 deadline) public {
        deadline = bound(deadline, block.timestamp, type(uint256).max);
        bytes memory signature = _sign("alice", _permitDigest(alice, value, 0, deadline));
        vm.expectEmit(address(usdc));
        emit IERC20.Approval(alice, bob, value);
        usdc.permit(alice, bob, value, deadline, signature);
        vm.assertEq(usdc.allowance(alice, bob), value);
        vm.assertEq(usdc.nonces(alice), 1);
    }

    function test_permit_in_v_r_s() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey("alice"), _permitDigest(alice, 7, 0, block.timestamp));
        usdc.permit(alice, bob, 7, block.timestamp, v, r, s);
        vm.assertEq(usdc.allowance(alice, bob), 7);
    }

    function test_permit_of_a_smart_wallet() public {
        bytes memory signature = _signForWallet(_permitDigest(address(wallet), 7, 0, block.timestamp));
        usdc.permit(address(wallet), bob, 7, block.timestamp, signature);
        vm.assertEq(usdc.allowance(address(wallet), bob), 7);
    }

    function test_permit_reverts_when_replayed() public {
        bytes memory signature = _sign("alice", _permitDigest(alice, 7, 0, block.timestamp));
        usdc.permit(alice, bob, 7, block.timestamp, signature);
        vm.expectRevert(bytes("EIP2612: invalid signature"));
        usdc.permit(alice, bob, 7, block.timestamp, signature);
    }

    function test_permit_reverts_out_of_turn() public {
        bytes memory signature = _sign("alice", _permitDigest(alice, 7, 1, block.timestamp));
        vm.expectRevert(bytes("EIP2612: invalid signature"));
        usdc.permit(alice, bob, 7, block.timestamp, signature);
        vm.assertEq(usdc.nonces(alice), 0);
    }

    function test_permit_reverts_after_the_deadline() public {
        uint256 deadline = block.timestamp;
        bytes memory signature = _sign("alice", _permitDigest(alice, 7, 0, deadline));
        vm.warp(deadline + 1);
        vm.expectRevert(bytes("FiatTokenV2: permit is expired"));
        usdc.permit(alice, bob, 7, deadline, signature);
    }

    function test_permit_refuses_another_signer_and_other_terms() public {
        bytes memory byBob = _sign("bob", _permitDigest(alice, 7, 0, block.timestamp));
        vm.expectRevert(bytes("EIP2612: invalid signature"));
        usdc.permit(alice, bob, 7, block.timestamp, byBob);
        bytes memory forSeven = _sign("alice", _permitDigest(alice, 7, 0, block.timestamp));
        vm.expectRevert(bytes("EIP2612: invalid signature"));
        usdc.permit(alice, bob, 8, block.timestamp, forSeven);
        vm.expectRevert(bytes("EIP2612: invalid signature"));
        usdc.permit(alice, carol, 7, block.timestamp, forSeven);
    }

    function test_permit_refuses_the_domain_of_another_chain() public {
        bytes memory signature = _sign("alice", _permitDigest(alice, 7, 0, block.timestamp));
        vm.chainId(8453);
        vm.expectRevert(bytes("EIP2612: invalid signature"));
        usdc.permit(alice, bob, 7, block.timestamp, signature);
    }

    function test_permit_respects_the_pause() public {
        bytes memory signature = _sign("alice", _permitDigest(alice, 7, 0, block.timestamp));
        usdc.pause();
        vm.expectRevert(bytes("Pausable: paused"));
        usdc.permit(alice, bob, 7, block.timestamp, signature);
    }

    function _permitDigest(address holder, uint256 value, uint256 nonce, uint256 deadline)
        private
        view
        returns (bytes32)
    {
        return _digest(keccak256(abi.encode(PERMIT, holder, bob, value, nonce, deadline)));
    }
}
