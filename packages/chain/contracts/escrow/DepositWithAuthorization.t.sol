// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../Escrow.sol";
import {Wallet1271} from "../mocks/Wallet1271.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract DepositWithAuthorizationTest is EscrowTest {
    uint256 private validBefore;
    bytes private signature;

    function setUp() public override {
        super.setUp();
        usdc.mint(client, AMOUNT);
        validBefore = block.timestamp + 1 hours;
        signature = _signDeposit(makeKey("client"), terms, 0, validBefore);
    }

    function test_depositWithAuthorization_is_relayed_by_anyone() public {
        vm.expectEmit(address(escrow));
        emit IEscrow.JobFunded(key, "job-1", client, seller, agentWallet, AMOUNT, 200, terms.deadline);
        vm.prank(stranger);
        escrow.depositWithAuthorization(terms, 0, validBefore, signature);

        vm.assertTrue(escrow.jobOf(key).state == IEscrow.JobState.Funded);
        vm.assertEq(escrow.totalHeld(), AMOUNT);
        vm.assertEq(usdc.balanceOf(address(escrow)), AMOUNT);
        vm.assertTrue(usdc.authorizationState(client, key), "the job key is the nonce");
    }

    function test_depositWithAuthorization_funds_no_other_terms() public {
        IEscrow.JobTerms memory other = terms;
        other.agentWallet = stranger;
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        escrow.depositWithAuthorization(other, 0, validBefore, signature);

        other = terms;
        other.deadline += 1;
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        escrow.depositWithAuthorization(other, 0, validBefore, signature);
    }

    function test_depositWithAuthorization_reverts_on_a_replay_in_every_state() public {
        _assertWrongStates(
            stranger, abi.encodeCall(Escrow.depositWithAuthorization, (terms, 0, validBefore, signature)), NONE
        );
    }

    function test_depositWithAuthorization_reverts_outside_its_time() public {
        vm.warp(validBefore);
        vm.expectRevert(bytes("FiatTokenV2: authorization is expired"));
        escrow.depositWithAuthorization(terms, 0, validBefore, signature);
    }

    function test_depositWithAuthorization_reverts_for_another_signer() public {
        bytes memory forged = _signDeposit(makeKey("stranger"), terms, 0, validBefore);
        vm.expectRevert(bytes("FiatTokenV2: invalid signature"));
        escrow.depositWithAuthorization(terms, 0, validBefore, forged);
    }

    function test_depositWithAuthorization_reverts_after_the_client_cancelled() public {
        bytes32 structHash =
            keccak256(abi.encode(keccak256("CancelAuthorization(address authorizer,bytes32 nonce)"), client, key));
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey("client"), digest);
        usdc.cancelAuthorization(client, key, v, r, s);

        vm.expectRevert(bytes("FiatTokenV2: authorization is used or canceled"));
        escrow.depositWithAuthorization(terms, 0, validBefore, signature);
    }

    function test_depositWithAuthorization_cannot_be_spent_past_the_escrow() public {
        vm.expectRevert(bytes("FiatTokenV2: caller must be the payee"));
        vm.prank(stranger);
        usdc.receiveWithAuthorization(client, address(escrow), AMOUNT, 0, validBefore, key, signature);
    }

    function test_depositWithAuthorization_reverts_past_the_deadline() public {
        vm.warp(terms.deadline);
        _expectTooLate(terms.deadline);
        escrow.depositWithAuthorization(terms, 0, validBefore, signature);
    }

    function test_depositWithAuthorization_takes_a_smart_wallets_signature() public {
        Wallet1271 wallet = new Wallet1271(client);
        usdc.mint(address(wallet), AMOUNT);
        terms.client = address(wallet);
        bytes memory signed = _signDeposit(makeKey("client"), terms, 0, validBefore);

        escrow.depositWithAuthorization(terms, 0, validBefore, signed);

        vm.assertTrue(escrow.jobOf(escrow.jobKeyOf(terms)).state == IEscrow.JobState.Funded);
    }

    function testFuzz_depositWithAuthorization_needs_the_exact_signature(uint256 flippedBit) public {
        flippedBit = bound(flippedBit, 0, 65 * 8 - 1);
        signature[flippedBit / 8] ^= bytes1(uint8(1 << (flippedBit % 8)));
        vm.expectRevert();
        escrow.depositWithAuthorization(terms, 0, validBefore, signature);
    }
}
