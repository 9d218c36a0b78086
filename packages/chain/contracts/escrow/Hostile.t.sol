// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Escrow} from "../Escrow.sol";
import {HostileToken} from "../mocks/HostileToken.sol";
import {ReentrantParty} from "../mocks/ReentrantParty.sol";
import {Test} from "../testing/Test.sol";
import {IEscrow} from "./IEscrow.sol";

contract HostileTest is Test {
    uint128 private constant AMOUNT = 1_000_000;
    uint256 private constant NET = 980_000;

    address private arbiter = makeAddr("arbiter");
    address private treasury = makeAddr("treasury");
    address private seller = makeAddr("seller");
    HostileToken private token;
    Escrow private escrow;
    ReentrantParty private client;
    ReentrantParty private agentWallet;
    IEscrow.JobTerms private terms;
    bytes32 private key;

    function setUp() public {
        token = new HostileToken();
        escrow = new Escrow(token, makeAddr("operator"), arbiter, treasury);
        client = new ReentrantParty();
        agentWallet = new ReentrantParty();
        terms = IEscrow.JobTerms("job", address(client), seller, address(agentWallet), AMOUNT, 0);
        key = escrow.jobKeyOf(terms);
        token.mint(address(client), 10 * AMOUNT);
        client.execute(address(token), abi.encodeCall(token.approve, (address(escrow), type(uint256).max)));
    }

    // ---- What arrives must be what the terms say ----

    function test_deposit_refuses_a_token_that_takes_a_fee() public {
        token.setManner(HostileToken.Manner.TakesFee);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.WrongAmountReceived.selector, AMOUNT - AMOUNT / 100, AMOUNT));
        _deposit();
    }

    function test_depositWithAuthorization_refuses_a_token_that_takes_a_fee() public {
        token.setManner(HostileToken.Manner.TakesFee);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.WrongAmountReceived.selector, AMOUNT - AMOUNT / 100, AMOUNT));
        escrow.depositWithAuthorization(terms, 0, type(uint256).max, "");
    }

    function test_deposit_refuses_a_token_that_adds_something() public {
        token.setManner(HostileToken.Manner.AddsBonus);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.WrongAmountReceived.selector, AMOUNT + 1, AMOUNT));
        _deposit();
    }

    function test_deposit_refuses_a_token_that_answers_false() public {
        token.setManner(HostileToken.Manner.AnswersFalse);
        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token)));
        _deposit();
    }

    function test_a_token_that_answers_nothing_works() public {
        token.setManner(HostileToken.Manner.AnswersNothing);
        _depositAndSubmit();
        _release();
        vm.assertEq(token.balanceOf(address(agentWallet)), NET);
        vm.assertEq(escrow.totalOwed(), 0);
    }

    // ---- A payment that fails becomes a credit ----

    function test_a_token_that_answers_false_defers_the_payments() public {
        _depositAndSubmit();
        token.setManner(HostileToken.Manner.AnswersFalse);
        _release();
        vm.assertEq(escrow.owedTo(address(agentWallet)), NET);
        vm.assertEq(escrow.owedTo(treasury), AMOUNT - NET);

        vm.expectRevert(abi.encodeWithSelector(SafeERC20.SafeERC20FailedOperation.selector, address(token)));
        escrow.claim(treasury);
        token.setManner(HostileToken.Manner.Honest);
        escrow.claim(treasury);
        vm.assertEq(token.balanceOf(treasury), AMOUNT - NET);
    }

    function test_a_recipient_that_refuses_blocks_nobody() public {
        _depositAndSubmit();
        token.setManner(HostileToken.Manner.TellsRecipient);
        agentWallet.refuse();
        _release();
        vm.assertEq(token.balanceOf(treasury), AMOUNT - NET);
        vm.assertEq(escrow.owedTo(address(agentWallet)), NET);
    }

    // ---- Nobody gets in a second time while tokens move ----

    function test_a_paid_party_cannot_reenter_any_function_that_moves_tokens() public {
        bytes[] memory calls = new bytes[](9);
        calls[0] = abi.encodeCall(Escrow.deposit, (terms));
        calls[1] = abi.encodeCall(Escrow.depositWithAuthorization, (terms, 0, type(uint256).max, ""));
        calls[2] = abi.encodeCall(Escrow.release, (key));
        calls[3] = abi.encodeCall(Escrow.refund, (key));
        calls[4] = abi.encodeCall(Escrow.claimMissedDeadline, (key));
        calls[5] = abi.encodeCall(Escrow.acceptSettlement, (key, IEscrow.Party.Seller, 0));
        calls[6] = abi.encodeCall(Escrow.rule, (key, 0));
        calls[7] = abi.encodeCall(Escrow.refundUndecided, (key));
        calls[8] = abi.encodeCall(Escrow.claim, (address(agentWallet)));
        _depositAndSubmit();
        token.mint(address(escrow), 10 * AMOUNT);
        token.setManner(HostileToken.Manner.TellsRecipient);

        for (uint256 i = 0; i < calls.length; i++) {
            uint256 snapshot = vm.snapshotState();
            agentWallet.callBack(address(escrow), calls[i]);
            _release();
            vm.assertEq(agentWallet.attempts(), 1);
            vm.assertFalse(agentWallet.succeeded());
            vm.assertEq(
                agentWallet.reason(),
                abi.encodeWithSelector(ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector)
            );
            vm.assertEq(token.balanceOf(address(agentWallet)), NET);
            vm.revertToState(snapshot);
        }
    }

    function test_a_paid_party_finds_the_job_closed_whatever_else_it_tries() public {
        bytes[] memory calls = new bytes[](5);
        calls[0] = abi.encodeCall(Escrow.submit, (key, keccak256("again")));
        calls[1] = abi.encodeCall(Escrow.requestChanges, (key));
        calls[2] = abi.encodeCall(Escrow.openDispute, (key, IEscrow.Party.Seller));
        calls[3] = abi.encodeCall(Escrow.proposeSettlement, (key, IEscrow.Party.Seller, 1));
        calls[4] = abi.encodeCall(Escrow.disableOperator, (key));
        _depositAndSubmit();
        token.setManner(HostileToken.Manner.TellsRecipient);

        for (uint256 i = 0; i < calls.length; i++) {
            uint256 snapshot = vm.snapshotState();
            agentWallet.callBack(address(escrow), calls[i]);
            _release();
            vm.assertFalse(agentWallet.succeeded());
            vm.assertEq(bytes32(bytes4(agentWallet.reason())), bytes32(IEscrow.WrongState.selector));
            vm.revertToState(snapshot);
        }
    }

    function test_a_claiming_party_cannot_claim_twice_at_once() public {
        _depositAndSubmit();
        token.setManner(HostileToken.Manner.AnswersFalse);
        _release();
        token.setManner(HostileToken.Manner.TellsRecipient);
        agentWallet.callBack(address(escrow), abi.encodeCall(Escrow.claim, (address(agentWallet))));
        escrow.claim(address(agentWallet));
        vm.assertFalse(agentWallet.succeeded());
        vm.assertEq(token.balanceOf(address(agentWallet)), NET);
    }

    function test_a_refunded_client_cannot_fund_from_within_the_refund() public {
        _depositAndSubmit();
        token.setManner(HostileToken.Manner.TellsRecipient);
        IEscrow.JobTerms memory next = terms;
        next.jobRef = "next";
        client.callBack(address(escrow), abi.encodeCall(Escrow.deposit, (next)));
        vm.prank(seller);
        escrow.refund(key);
        vm.assertEq(client.attempts(), 1);
        vm.assertFalse(client.succeeded());
        vm.assertEq(escrow.totalHeld(), 0);
    }

    function _deposit() private {
        client.execute(address(escrow), abi.encodeCall(Escrow.deposit, (terms)));
    }

    function _depositAndSubmit() private {
        _deposit();
        vm.prank(seller);
        escrow.submit(key, keccak256("work"));
    }

    function _release() private {
        client.execute(address(escrow), abi.encodeCall(Escrow.release, (key)));
    }
}
