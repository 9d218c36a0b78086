// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../../Escrow.sol";
import {TestUsdc} from "../../devnet/TestUsdc.sol";
import {Test} from "../../testing/Test.sol";
import {IEscrow} from "../IEscrow.sol";
import {EscrowHandler} from "./EscrowHandler.sol";

contract EscrowInvariants is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    EscrowHandler private handler;
    Escrow private escrow;
    TestUsdc private usdc;

    function setUp() public {
        handler = new EscrowHandler();
        escrow = handler.escrow();
        usdc = handler.usdc();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        bytes4[] memory selectors = new bytes4[](6);
        selectors[0] = EscrowHandler.fund.selector;
        selectors[1] = EscrowHandler.act.selector;
        selectors[2] = EscrowHandler.wait.selector;
        selectors[3] = EscrowHandler.disturb.selector;
        selectors[4] = EscrowHandler.claim.selector;
        selectors[5] = EscrowHandler.donate.selector;
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), selectors);
    }

    /// Every call is allowed or refused as the model says, and every micro-unit is where it belongs.
    ///
    /// hardhat-config: invariant.failOnRevert = true
    function invariant_escrow_and_model_agree_and_the_books_balance() public view {
        _assertBooks();
    }

    /// At the end of each run, every open job can still be ended without operator and arbiter, and all money comes out.
    function afterInvariant() public {
        handler.endAll();
        _assertBooks();
        vm.assertEq(escrow.totalHeld(), 0, "money is stuck in a job");
        handler.payAll();
        vm.assertEq(escrow.totalOwed(), 0, "money is stuck in a credit");
        vm.assertEq(usdc.balanceOf(address(escrow)), handler.donated(), "more or less than the donations is left");
    }

    /// The same play with a plain seed. It also shows that the play is not idle: every way to end a job does happen.
    function test_a_long_random_walk_meets_every_outcome() public {
        _walk(uint256(keccak256("walk")), 4_000);
        for (uint8 outcome = 1; outcome <= uint8(type(IEscrow.Outcome).max); outcome++) {
            vm.assertGt(handler.closed(IEscrow.Outcome(outcome)), 0);
        }
        afterInvariant();
    }

    function testFuzz_a_random_walk_agrees_with_the_model(uint256 seed) public {
        _walk(seed, 60);
        afterInvariant();
    }

    function _walk(uint256 seed, uint256 steps) private {
        for (uint256 i = 0; i < steps; i++) {
            seed = uint256(keccak256(abi.encode(seed)));
            uint256 kind = seed % 16;
            uint256 rest = seed >> 8;
            if (kind < 2) handler.fund(rest, uint128(rest >> 32), uint64(rest >> 160));
            else if (kind < 12) handler.act(rest, uint8(rest >> 100), uint16(rest >> 120));
            else if (kind < 13) handler.wait(rest, uint32(rest >> 64));
            else if (kind < 14) handler.disturb(rest);
            else if (kind < 15) handler.claim(rest);
            else handler.donate(uint64(rest >> 64));
        }
        _assertBooks();
    }

    function _assertBooks() private view {
        vm.assertEq(handler.difference(), "");
        vm.assertEq(escrow.totalHeld(), handler.held(), "held is not what the open jobs hold");
        uint256 owed = 0;
        address[] memory actors = handler.actors();
        for (uint256 i = 0; i < actors.length; i++) {
            uint256 credit = escrow.owedTo(actors[i]);
            owed += credit;
            vm.assertEq(usdc.balanceOf(actors[i]) + credit, handler.earned(actors[i]), "somebody got more or less than due");
        }
        vm.assertEq(escrow.totalOwed(), owed, "owed is not the sum of the credits");
        uint256 balance = escrow.totalHeld() + escrow.totalOwed() + handler.donated();
        vm.assertEq(usdc.balanceOf(address(escrow)), balance, "the tokens do not cover the books");
    }
}
