// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../Escrow.sol";
import {TestUsdc} from "../devnet/TestUsdc.sol";
import {Test} from "../testing/Test.sol";
import {IEscrow} from "./IEscrow.sol";

/// @notice The stage of every escrow test: a real token, a real escrow, named accounts, and one job brought to any state.
abstract contract EscrowTest is Test {
    uint128 internal constant AMOUNT = 250_000_001;
    bytes32 internal constant DELIVERY = keccak256("delivery");

    uint8 internal constant NONE = 1;
    uint8 internal constant FUNDED = 2;
    uint8 internal constant SUBMITTED = 4;
    uint8 internal constant DISPUTED = 8;

    address internal client = makeAddr("client");
    address internal seller = makeAddr("seller");
    address internal agentWallet = makeAddr("agentWallet");
    address internal operator = makeAddr("operator");
    address internal arbiter = makeAddr("arbiter");
    address internal treasury = makeAddr("treasury");
    address internal stranger = makeAddr("stranger");

    TestUsdc internal usdc;
    Escrow internal escrow;
    IEscrow.JobTerms internal terms;
    bytes32 internal key;

    function setUp() public virtual {
        usdc = new TestUsdc(address(this));
        escrow = new Escrow(usdc, operator, arbiter, treasury);
        terms = IEscrow.JobTerms({
            jobRef: "job-1",
            client: client,
            seller: seller,
            agentWallet: agentWallet,
            amount: AMOUNT,
            deadline: uint64(block.timestamp + 3 days)
        });
        key = escrow.jobKeyOf(terms);
    }

    // ---- Bringing a job to a state ----

    function _fund() internal {
        _fund(terms);
    }

    function _fund(IEscrow.JobTerms memory jobTerms) internal returns (bytes32 jobKey) {
        usdc.mint(jobTerms.client, jobTerms.amount);
        vm.prank(jobTerms.client);
        usdc.approve(address(escrow), jobTerms.amount);
        vm.prank(jobTerms.client);
        escrow.deposit(jobTerms);
        return escrow.jobKeyOf(jobTerms);
    }

    function _submit() internal {
        vm.prank(seller);
        escrow.submit(key, DELIVERY);
    }

    function _requestChanges() internal {
        vm.prank(client);
        escrow.requestChanges(key);
    }

    function _dispute() internal {
        vm.prank(client);
        escrow.openDispute(key, IEscrow.Party.Client);
    }

    function _fundAndSubmit() internal {
        _fund();
        _submit();
    }

    function _fundAndDispute() internal {
        _fund();
        _dispute();
    }

    /// @dev Any of the five states, each by the shortest way.
    function _bringTo(IEscrow.JobState state) internal {
        if (state == IEscrow.JobState.None) return;
        _fund();
        if (state == IEscrow.JobState.Funded) return;
        if (state == IEscrow.JobState.Disputed) return _dispute();
        _submit();
        if (state == IEscrow.JobState.Submitted) return;
        vm.prank(client);
        escrow.release(key);
    }

    // ---- Expectations ----

    function _expectNotAllowed(address caller, IEscrow.Party party) internal {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.NotAllowed.selector, caller, key, party));
        vm.prank(caller);
    }

    function _expectTooEarly(uint256 allowedFrom) internal {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.TooEarly.selector, block.timestamp, allowedFrom));
    }

    function _expectTooLate(uint256 allowedBefore) internal {
        vm.expectRevert(abi.encodeWithSelector(IEscrow.TooLate.selector, block.timestamp, allowedBefore));
    }

    /// @dev Makes the same call, as `caller`, in every state outside `allowedStates`, and expects `WrongState` each time.
    function _assertWrongStates(address caller, bytes memory call, uint8 allowedStates) internal {
        for (uint8 i = 0; i <= uint8(IEscrow.JobState.Closed); i++) {
            if (allowedStates & uint8(1 << i) != 0) continue;
            uint256 snapshot = vm.snapshotState();
            _bringTo(IEscrow.JobState(i));
            vm.prank(caller);
            (bool succeeded, bytes memory reason) = address(escrow).call(call);
            vm.assertFalse(succeeded, "the call passed in a wrong state");
            bytes memory expected =
                abi.encodeWithSelector(IEscrow.WrongState.selector, key, IEscrow.JobState(i), allowedStates);
            vm.assertEq(reason, expected);
            vm.revertToState(snapshot);
        }
    }

    /// @dev The job is closed once and for all, the three parts add up, and the books hold nothing of it.
    function _assertClosed(IEscrow.Outcome outcome, uint256 sellerNet, uint256 fee, uint256 refunded) internal view {
        IEscrow.Job memory job = escrow.jobOf(key);
        vm.assertTrue(job.state == IEscrow.JobState.Closed, "not closed");
        vm.assertTrue(job.outcome == outcome, "another outcome");
        vm.assertEq(usdc.balanceOf(agentWallet), sellerNet, "agent wallet");
        vm.assertEq(usdc.balanceOf(treasury), fee, "treasury");
        vm.assertEq(usdc.balanceOf(client), refunded, "client");
        vm.assertEq(sellerNet + fee + refunded, AMOUNT, "parts do not add up");
        vm.assertEq(escrow.totalHeld(), 0, "still held");
        vm.assertEq(usdc.balanceOf(address(escrow)), 0, "left behind");
    }

    function _expectClosed(IEscrow.Outcome outcome, uint256 sellerNet, uint256 fee, uint256 refunded) internal {
        vm.expectEmit(address(escrow));
        emit IEscrow.JobClosed(key, outcome, sellerNet, fee, refunded);
    }

    // ---- Gasless deposits ----

    function _signDeposit(uint256 privateKey, IEscrow.JobTerms memory jobTerms, uint256 validAfter, uint256 validBefore)
        internal
        view
        returns (bytes memory)
    {
        bytes32 typehash = keccak256(
            "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
        );
        bytes32 structHash = keccak256(
            abi.encode(
                typehash,
                jobTerms.client,
                address(escrow),
                uint256(jobTerms.amount),
                validAfter,
                validBefore,
                escrow.jobKeyOf(jobTerms)
            )
        );
        bytes32 digest = keccak256(abi.encodePacked(hex"1901", usdc.DOMAIN_SEPARATOR(), structHash));
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(privateKey, digest);
        return abi.encodePacked(r, s, v);
    }
}
