// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TestUsdc} from "../TestUsdc.sol";
import {TransferAuthorizations} from "./TransferAuthorizations.sol";
import {UsdcTest} from "./UsdcTest.t.sol";

contract TransferAuthorizationsTest is UsdcTest {
    bytes32 private constant TRANSFER = 0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267;
    bytes32 private constant RECEIVE = 0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8;
    bytes32 private constant CANCEL = 0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429;
    bytes32 private constant NONCE = keccak256("nonce");
    uint256 private constant VALUE = 25e6;

    function test_typehashes_and_domain_are_those_of_usdc() public view {
        vm.assertEq(usdc.TRANSFER_WITH_AUTHORIZATION_TYPEHASH(), TRANSFER);
        vm.assertEq(usdc.RECEIVE_WITH_AUTHORIZATION_TYPEHASH(), RECEIVE);
        vm.assertEq(usdc.CANCEL_AUTHORIZATION_TYPEHASH(), CANCEL);
        vm.assertEq(usdc.DOMAIN_SEPARATOR(), _domain(address(usdc)));
    }

    function test_domain_follows_the_chain_id() public {
        bytes32 before = usdc.DOMAIN_SEPARATOR();
        vm.chainId(8453);
        vm.assertNotEq(usdc.DOMAIN_SEPARATOR(), before);
        vm.assertEq(usdc.DOMAIN_SEPARATOR(), _domain(address(usdc)));
    }

    function testFuzz_transferWithAuthorization_by_anyone(address relayer, uint256 value, bytes32 nonce) public {
        vm.assume(relayer != address(0));
        value = bound(value, 0, 1000e6);
        bytes memory signature = _sign("alice", _digest(_structHash(TRANSFER, alice, value, 0, _later(), nonce)));
        vm.assertFalse(usdc.authorizationState(alice, nonce));
        vm.expectEmit(address(usdc));
        emit TransferAuthorizations.AuthorizationUsed(alice, nonce);
        vm.expectEmit(address(usdc));
        emit IERC20.Transfer(alice, bob, value);
        vm.prank(relayer);
        usdc.transferWithAuthorization(alice, bob, value, 0, _later(), nonce, signature);
        vm.assertEq(usdc.balanceOf(bob), value);
        vm.assertTrue(usdc.authorizationState(alice, nonce));
    }

    function test_transferWithAuthorization_in_v_r_s() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey("alice"), _transferDigest());
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, v, r, s);
        vm.assertEq(usdc.balanceOf(bob), VALUE);
    }

    function test_transferWithAuthorization_of_a_smart_wallet() public {
        bytes32 digest = _digest(_structHash(TRANSFER, address(wallet), VALUE, 0, _later(), NONCE));
        usdc.transferWithAuthorization(address(wallet), bob, VALUE, 0, _later(), NONCE, _signForWallet(digest));
        vm.assertEq(usdc.balanceOf(bob), VALUE);
        vm.assertEq(usdc.balanceOf(address(wallet)), 1000e6 - VALUE);
    }

    function test_transferWithAuthorization_refuses_the_bare_key_of_a_smart_wallets_owner() public {
        bytes memory signature =
            _sign("alice", _digest(_structHash(TRANSFER, address(wallet), VALUE, 0, _later(), NONCE)));
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(address(wallet), bob, VALUE, 0, _later(), NONCE, signature);
    }

    function test_transferWithAuthorization_reverts_when_replayed() public {
        bytes memory signature = _sign("alice", _transferDigest());
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
    }

    function test_transferWithAuthorization_reverts_when_replayed_in_the_other_shape() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey("alice"), _transferDigest());
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, v, r, s);
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, abi.encodePacked(r, s, v));
    }

    function test_transferWithAuthorization_holds_strictly_between_its_bounds() public {
        uint256 validAfter = block.timestamp + 100;
        uint256 validBefore = block.timestamp + 200;
        bytes memory signature =
            _sign("alice", _digest(_structHash(TRANSFER, alice, VALUE, validAfter, validBefore, NONCE)));

        vm.warp(validAfter);
        vm.expectRevert(bytes("FiatTokenV2: authorization is not yet valid"));
        usdc.transferWithAuthorization(alice, bob, VALUE, validAfter, validBefore, NONCE, signature);
        vm.warp(validBefore);
        vm.expectRevert(bytes("FiatTokenV2: authorization is expired"));
        usdc.transferWithAuthorization(alice, bob, VALUE, validAfter, validBefore, NONCE, signature);
        vm.warp(validBefore - 1);
        usdc.transferWithAuthorization(alice, bob, VALUE, validAfter, validBefore, NONCE, signature);
        vm.assertEq(usdc.balanceOf(bob), VALUE);
    }

    function testFuzz_transferWithAuthorization_refuses_altered_terms(uint256 value, bytes32 nonce) public {
        vm.assume(value != VALUE || nonce != NONCE);
        bytes memory signature = _sign("alice", _transferDigest());
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(alice, bob, value, 0, _later(), nonce, signature);
    }

    function test_transferWithAuthorization_refuses_another_payee() public {
        bytes memory signature = _sign("alice", _transferDigest());
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(alice, carol, VALUE, 0, _later(), NONCE, signature);
    }

    function test_transferWithAuthorization_refuses_another_signer() public {
        bytes memory signature = _sign("bob", _transferDigest());
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
    }

    function test_transferWithAuthorization_refuses_a_malformed_signature() public {
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, hex"1234");
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, 29, bytes32(0), bytes32(0));
    }

    function test_transferWithAuthorization_refuses_the_mirrored_signature() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey("alice"), _transferDigest());
        uint256 order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141;
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(
            alice, bob, VALUE, 0, _later(), NONCE, v == 27 ? 28 : 27, r, bytes32(order - uint256(s))
        );
    }

    function test_transferWithAuthorization_refuses_the_domain_of_another_token() public {
        bytes32 structHash = _structHash(TRANSFER, alice, VALUE, 0, _later(), NONCE);
        address other = address(new TestUsdc(address(this)));
        bytes memory signature =
            _sign("alice", keccak256(abi.encodePacked("\x19\x01", _domain(other), structHash)));
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
    }

    function test_transferWithAuthorization_refuses_the_domain_of_another_chain() public {
        bytes memory signature = _sign("alice", _transferDigest());
        vm.chainId(8453);
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
    }

    function test_transferWithAuthorization_from_zero_is_refused() public {
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(address(0), bob, 0, 0, _later(), NONCE, new bytes(65));
    }

    function test_transferWithAuthorization_reverts_above_the_balance_and_keeps_the_nonce() public {
        bytes memory signature = _sign("alice", _digest(_structHash(TRANSFER, alice, 1001e6, 0, _later(), NONCE)));
        vm.expectRevert(bytes("ERC20: transfer amount exceeds balance"));
        usdc.transferWithAuthorization(alice, bob, 1001e6, 0, _later(), NONCE, signature);
        vm.assertFalse(usdc.authorizationState(alice, NONCE));
    }

    function test_authorizations_respect_the_blacklist() public {
        bytes memory signature = _sign("alice", _transferDigest());
        usdc.blacklist(alice);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
        usdc.unBlacklist(alice);
        usdc.blacklist(bob);
        vm.expectRevert(bytes("Blacklistable: account is blacklisted"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
    }

    function test_authorizations_respect_the_pause() public {
        bytes memory signature = _sign("alice", _transferDigest());
        bytes memory cancellation = _sign("alice", _digest(keccak256(abi.encode(CANCEL, alice, NONCE))));
        usdc.pause();
        vm.expectRevert(bytes("Pausable: paused"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
        vm.expectRevert(bytes("Pausable: paused"));
        usdc.cancelAuthorization(alice, NONCE, cancellation);
    }

    function test_receiveWithAuthorization_by_the_payee() public {
        bytes memory signature = _sign("alice", _receiveDigest(alice));
        vm.expectEmit(address(usdc));
        emit TransferAuthorizations.AuthorizationUsed(alice, NONCE);
        vm.prank(bob);
        usdc.receiveWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
        vm.assertEq(usdc.balanceOf(bob), VALUE);
    }

    function test_receiveWithAuthorization_in_v_r_s() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey("alice"), _receiveDigest(alice));
        vm.prank(bob);
        usdc.receiveWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, v, r, s);
        vm.assertEq(usdc.balanceOf(bob), VALUE);
    }

    function test_receiveWithAuthorization_of_a_smart_wallet() public {
        bytes memory signature = _signForWallet(_receiveDigest(address(wallet)));
        vm.prank(bob);
        usdc.receiveWithAuthorization(address(wallet), bob, VALUE, 0, _later(), NONCE, signature);
        vm.assertEq(usdc.balanceOf(bob), VALUE);
    }

    function test_receiveWithAuthorization_reverts_for_anyone_else() public {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey("alice"), _receiveDigest(alice));
        vm.expectRevert(bytes("FiatTokenV2: caller must be the payee"));
        vm.prank(carol);
        usdc.receiveWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, v, r, s);
        vm.expectRevert(bytes("FiatTokenV2: caller must be the payee"));
        vm.prank(carol);
        usdc.receiveWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, abi.encodePacked(r, s, v));
    }

    function test_the_two_kinds_of_authorization_cannot_be_swapped() public {
        bytes memory receiveSignature = _sign("alice", _receiveDigest(alice));
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, receiveSignature);
        bytes memory transferSignature = _sign("alice", _transferDigest());
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        vm.prank(bob);
        usdc.receiveWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, transferSignature);
    }

    function test_cancelAuthorization_voids_the_nonce() public {
        bytes memory cancellation = _sign("alice", _digest(keccak256(abi.encode(CANCEL, alice, NONCE))));
        vm.expectEmit(address(usdc));
        emit TransferAuthorizations.AuthorizationCanceled(alice, NONCE);
        usdc.cancelAuthorization(alice, NONCE, cancellation);
        vm.assertTrue(usdc.authorizationState(alice, NONCE));

        bytes memory signature = _sign("alice", _transferDigest());
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        usdc.transferWithAuthorization(alice, bob, VALUE, 0, _later(), NONCE, signature);
        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        usdc.cancelAuthorization(alice, NONCE, cancellation);
    }

    function test_cancelAuthorization_in_v_r_s_and_of_a_smart_wallet() public {
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(makeKey("alice"), _digest(keccak256(abi.encode(CANCEL, alice, NONCE))));
        usdc.cancelAuthorization(alice, NONCE, v, r, s);
        vm.assertTrue(usdc.authorizationState(alice, NONCE));

        bytes32 digest = _digest(keccak256(abi.encode(CANCEL, address(wallet), NONCE)));
        usdc.cancelAuthorization(address(wallet), NONCE, _signForWallet(digest));
        vm.assertTrue(usdc.authorizationState(address(wallet), NONCE));
    }

    function test_cancelAuthorization_refuses_another_signer() public {
        bytes memory cancellation = _sign("bob", _digest(keccak256(abi.encode(CANCEL, alice, NONCE))));
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        usdc.cancelAuthorization(alice, NONCE, cancellation);
    }

    function _later() private view returns (uint256) {
        return block.timestamp + 1 hours;
    }

    function _transferDigest() private view returns (bytes32) {
        return _digest(_structHash(TRANSFER, alice, VALUE, 0, _later(), NONCE));
    }

    function _receiveDigest(address from) private view returns (bytes32) {
        return _digest(_structHash(RECEIVE, from, VALUE, 0, _later(), NONCE));
    }

    /// @dev Bob is always the payee.
    function _structHash(
        bytes32 typehash,
        address from,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce
    ) private view returns (bytes32) {
        return keccak256(abi.encode(typehash, from, bob, value, validAfter, validBefore, nonce));
    }
}
