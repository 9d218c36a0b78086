// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Escrow} from "../Escrow.sol";
import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

contract DepositTest is EscrowTest {
    function test_constructor_refuses_a_token_without_code() public {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidAddress.selector, stranger));
        new Escrow(IERC20(stranger), operator, arbiter, treasury);
    }

    function test_constructor_refuses_a_missing_operator() public {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidAddress.selector, address(0)));
        new Escrow(usdc, address(0), arbiter, treasury);
    }

    function test_constructor_refuses_a_missing_arbiter() public {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidAddress.selector, address(0)));
        new Escrow(usdc, operator, address(0), treasury);
    }

    function test_constructor_refuses_a_missing_treasury() public {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidAddress.selector, address(0)));
        new Escrow(usdc, operator, arbiter, address(0));
    }

    function test_constants_are_what_the_parties_were_told() public view {
        vm.assertEq(address(escrow.token()), address(usdc));
        vm.assertEq(uint256(escrow.FEE_BPS()), 200);
        vm.assertEq(uint256(escrow.REVIEW_PERIOD()), 7 days);
        vm.assertEq(uint256(escrow.DEADLINE_GRACE()), 24 hours);
        vm.assertEq(uint256(escrow.DISPUTE_PERIOD()), 30 days);
        vm.assertEq(uint256(escrow.MAX_CHANGE_REQUESTS()), 2);
    }

    function test_deposit_takes_the_amount_and_keeps_the_terms() public {
        _fund();
        IEscrow.Job memory job = escrow.jobOf(key);
        vm.assertTrue(job.state == IEscrow.JobState.Funded);
        vm.assertTrue(job.outcome == IEscrow.Outcome.None);
        vm.assertEq(escrow.jobKeyOf(job.terms), key);
        vm.assertEq(uint256(job.dueAt), terms.deadline);
        vm.assertEq(usdc.balanceOf(address(escrow)), AMOUNT);
        vm.assertEq(usdc.balanceOf(client), 0);
        vm.assertEq(escrow.totalHeld(), AMOUNT);
    }

    function test_deposit_emits_JobFunded() public {
        usdc.mint(client, AMOUNT);
        vm.startPrank(client);
        usdc.approve(address(escrow), AMOUNT);
        vm.expectEmit(address(escrow));
        emit IEscrow.JobFunded(key, "job-1", client, seller, agentWallet, AMOUNT, 200, terms.deadline);
        escrow.deposit(terms);
    }

    function test_deposit_without_deadline_has_no_due_date() public {
        terms.deadline = 0;
        bytes32 jobKey = _fund(terms);
        vm.assertEq(uint256(escrow.jobOf(jobKey).dueAt), 0);
    }

    function test_deposit_lets_a_client_hire_its_own_agent() public {
        terms.seller = client;
        bytes32 jobKey = _fund(terms);
        vm.assertTrue(escrow.jobOf(jobKey).state == IEscrow.JobState.Funded);
    }

    function test_deposit_is_not_disturbed_by_a_donation() public {
        usdc.mint(address(escrow), 7);
        _fund();
        vm.assertEq(escrow.totalHeld(), AMOUNT);
        vm.assertEq(usdc.balanceOf(address(escrow)), AMOUNT + 7);
    }

    function test_deposit_reverts_for_anyone_but_the_client() public {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.WrongCaller.selector, operator, client));
        vm.prank(operator);
        escrow.deposit(terms);
    }

    function test_deposit_reverts_when_the_job_was_funded_before() public {
        _assertWrongStates(client, abi.encodeCall(Escrow.deposit, (terms)), NONE);
    }

    function test_deposit_reverts_for_a_zero_amount() public {
        terms.amount = 0;
        vm.expectRevert(IEscrow.ZeroAmount.selector);
        vm.prank(client);
        escrow.deposit(terms);
    }

    function test_deposit_reverts_at_the_deadline_and_after() public {
        terms.deadline = uint64(block.timestamp);
        _expectTooLate(block.timestamp);
        vm.prank(client);
        escrow.deposit(terms);

        terms.deadline = 1;
        _expectTooLate(1);
        vm.prank(client);
        escrow.deposit(terms);
    }

    function test_deposit_reverts_for_parties_that_could_never_be_paid() public {
        IEscrow.JobTerms memory bad = terms;
        bad.seller = address(0);
        _assertRefused(bad, address(0));
        bad.seller = address(escrow);
        _assertRefused(bad, address(escrow));
        bad.seller = seller;
        bad.agentWallet = address(0);
        _assertRefused(bad, address(0));
        bad.agentWallet = address(escrow);
        _assertRefused(bad, address(escrow));
        bad.agentWallet = agentWallet;
        bad.client = address(0);
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidAddress.selector, address(0)));
        escrow.depositWithAuthorization(bad, 0, type(uint256).max, "");
    }

    function test_deposit_reverts_without_allowance_and_leaves_no_job() public {
        usdc.mint(client, AMOUNT);
        vm.expectRevert(bytes("ERC20: transfer amount exceeds allowance"));
        vm.prank(client);
        escrow.deposit(terms);
        vm.assertTrue(escrow.jobOf(key).state == IEscrow.JobState.None);
        vm.assertEq(escrow.totalHeld(), 0);
    }

    function test_jobKeyOf_commits_to_every_term_and_to_the_chain() public {
        IEscrow.JobTerms memory other = terms;
        other.jobRef = "job-2";
        vm.assertNotEq(escrow.jobKeyOf(other), key);
        other = terms;
        other.client = stranger;
        vm.assertNotEq(escrow.jobKeyOf(other), key);
        other = terms;
        other.seller = stranger;
        vm.assertNotEq(escrow.jobKeyOf(other), key);
        other = terms;
        other.agentWallet = stranger;
        vm.assertNotEq(escrow.jobKeyOf(other), key);
        other = terms;
        other.amount += 1;
        vm.assertNotEq(escrow.jobKeyOf(other), key);
        other = terms;
        other.deadline += 1;
        vm.assertNotEq(escrow.jobKeyOf(other), key);
        vm.assertNotEq(new Escrow(usdc, operator, arbiter, treasury).jobKeyOf(terms), key);
        vm.chainId(8453);
        vm.assertNotEq(escrow.jobKeyOf(terms), key);
    }

    function test_jobKeyOf_is_the_hash_of_chain_escrow_and_terms() public view {
        bytes32 expected = keccak256(
            abi.encode(
                block.chainid, address(escrow), bytes32("job-1"), client, seller, agentWallet, AMOUNT, terms.deadline
            )
        );
        vm.assertEq(key, expected);
    }

    function _assertRefused(IEscrow.JobTerms memory bad, address given) private {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.InvalidAddress.selector, given));
        vm.prank(client);
        escrow.deposit(bad);
    }
}
