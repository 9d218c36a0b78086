// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {EscrowTest} from "./EscrowTest.t.sol";
import {IEscrow} from "./IEscrow.sol";

/// @notice What each call costs. Every call runs as a transaction of its own, with cold storage and its base cost included.
///
/// @dev The figures are committed in gas-snapshot.json; growth beyond its limit fails the run.
contract EscrowGasTest is EscrowTest {
    /// hardhat-config: isolate = true
    function test_gas_deposit() public {
        usdc.mint(client, AMOUNT);
        vm.startPrank(client);
        usdc.approve(address(escrow), AMOUNT);
        escrow.deposit(terms);
        _snapshot("deposit");
    }

    /// hardhat-config: isolate = true
    function test_gas_depositWithAuthorization() public {
        usdc.mint(client, AMOUNT);
        uint256 validBefore = block.timestamp + 1 hours;
        bytes memory signature = _signDeposit(makeKey("client"), terms, 0, validBefore);
        vm.prank(operator);
        escrow.depositWithAuthorization(terms, 0, validBefore, signature);
        _snapshot("depositWithAuthorization");
    }

    /// hardhat-config: isolate = true
    function test_gas_submit_and_requestChanges() public {
        _fundAndSubmit();
        _snapshot("submit");
        _requestChanges();
        _snapshot("requestChanges");
    }

    /// hardhat-config: isolate = true
    function test_gas_release() public {
        _fundAndSubmit();
        vm.prank(client);
        escrow.release(key);
        _snapshot("release");
    }

    /// hardhat-config: isolate = true
    function test_gas_release_to_a_blacklisted_wallet_and_claim() public {
        _fundAndSubmit();
        usdc.blacklist(agentWallet);
        vm.prank(client);
        escrow.release(key);
        _snapshot("release with a deferred payment");
        usdc.unBlacklist(agentWallet);
        escrow.claim(agentWallet);
        _snapshot("claim");
    }

    /// hardhat-config: isolate = true
    function test_gas_refund() public {
        _fund();
        vm.prank(seller);
        escrow.refund(key);
        _snapshot("refund");
    }

    /// hardhat-config: isolate = true
    function test_gas_claimMissedDeadline() public {
        _fund();
        vm.warp(terms.deadline + 24 hours);
        vm.prank(client);
        escrow.claimMissedDeadline(key);
        _snapshot("claimMissedDeadline");
    }

    /// hardhat-config: isolate = true
    function test_gas_settlement() public {
        _fundAndDispute();
        _snapshot("openDispute");
        vm.prank(client);
        escrow.proposeSettlement(key, IEscrow.Party.Client, 4_000);
        _snapshot("proposeSettlement");
        vm.prank(seller);
        escrow.acceptSettlement(key, IEscrow.Party.Seller, 4_000);
        _snapshot("acceptSettlement");
    }

    /// hardhat-config: isolate = true
    function test_gas_rule() public {
        _fundAndDispute();
        vm.prank(arbiter);
        escrow.rule(key, 5_000);
        _snapshot("rule");
    }

    /// hardhat-config: isolate = true
    function test_gas_refundUndecided() public {
        _fundAndDispute();
        vm.warp(escrow.jobOf(key).undecidedAt);
        escrow.refundUndecided(key);
        _snapshot("refundUndecided");
    }

    /// hardhat-config: isolate = true
    function test_gas_disableOperator() public {
        _fund();
        vm.prank(client);
        escrow.disableOperator(key);
        _snapshot("disableOperator");
    }

    /// hardhat-config: isolate = true
    function test_gas_role_change() public {
        vm.prank(arbiter);
        escrow.proposeArbiter(stranger);
        _snapshot("proposeArbiter");
        vm.prank(stranger);
        escrow.acceptArbiter();
        _snapshot("acceptArbiter");
    }

    function _snapshot(string memory name) private {
        vm.snapshotGasLastCall("Escrow", name);
    }
}
