// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Escrow} from "../../Escrow.sol";
import {TestUsdc} from "../../devnet/TestUsdc.sol";
import {Test} from "../../testing/Test.sol";
import {IEscrow} from "../IEscrow.sol";
import {EscrowModel} from "./EscrowModel.sol";

/// @notice Plays the marketplace at random: anyone calls anything at any time, while accounts get blacklisted and the token paused.
///         After every step the escrow must have answered as the model did. The first difference is kept in `difference`.
contract EscrowHandler is EscrowModel, Test {
    uint256 private constant MAX_OPEN_JOBS = 6;

    Escrow public immutable escrow;
    TestUsdc public immutable usdc;

    /// @notice Empty as long as escrow and model agree.
    string public difference;

    /// @notice Given to the escrow outside of any job.
    uint256 public donated;

    address[] internal _actors;
    bytes32[] internal _open;
    bytes32 internal _lastClosed;
    uint256 internal _funded;

    constructor() {
        string[10] memory names = [
            "client 1", "client 2", "seller 1", "seller 2", "wallet 1", "wallet 2", "operator", "arbiter", "treasury", "stranger"
        ];
        for (uint256 i = 0; i < names.length; i++) _actors.push(makeAddr(names[i]));
        (_operator, _arbiter, _treasury) = (_actors[6], _actors[7], _actors[8]);
        usdc = new TestUsdc(address(this));
        escrow = new Escrow(usdc, _operator, _arbiter, _treasury);
    }

    function actors() external view returns (address[] memory) {
        return _actors;
    }

    function openJobs() external view returns (bytes32[] memory) {
        return _open;
    }

    /// @notice A client funds a job, with or without a deadline. Now and then the client is the seller too.
    function fund(uint256 seed, uint128 amount, uint64 untilDeadline) external {
        address client = _actors[seed % 2];
        if (_open.length >= MAX_OPEN_JOBS || usdc.paused() || usdc.isBlacklisted(client)) return;
        if (usdc.isBlacklisted(address(escrow))) return;
        IEscrow.JobTerms memory terms = IEscrow.JobTerms({
            jobRef: bytes32(++_funded),
            client: client,
            seller: seed % 7 == 0 ? client : _actors[2 + (seed >> 8) % 2],
            agentWallet: _actors[4 + (seed >> 16) % 2],
            amount: uint128(bound(amount, 1, 1e15)),
            deadline: seed % 3 == 0 ? 0 : uint64(block.timestamp + bound(untilDeadline, 1, 30 days))
        });
        usdc.mint(client, terms.amount);
        vm.prank(client);
        usdc.approve(address(escrow), terms.amount);
        vm.prank(client);
        escrow.deposit(terms);

        bytes32 key = escrow.jobKeyOf(terms);
        IEscrow.Job storage job = _model[key];
        job.terms = terms;
        job.state = IEscrow.JobState.Funded;
        job.dueAt = terms.deadline;
        held += terms.amount;
        _open.push(key);
        _compareJob(key);
    }

    /// @notice Somebody, often somebody entitled, makes one call about one job.
    function act(uint256 seed, uint8 action, uint16 bps) external {
        bytes32 key = seed % 32 == 0 || _open.length == 0 ? _lastClosed : _open[(seed >> 8) % _open.length];
        IEscrow.Job storage job = _model[key];
        Step memory step = Step({
            key: key,
            action: _actionOf(job, action, seed),
            caller: _callerOf(job, seed),
            party: seed % 4 > 0 ? _partyToAnswer(job) : IEscrow.Party((seed >> 16) % 3),
            bps: (seed >> 20) % 4 > 0 ? job.offeredBps : uint16(bps % 10_050)
        });
        _perform(step);
    }

    /// @notice Time passes; often to the very edge of what a job is waiting for, seldom through a whole dispute.
    function wait(uint256 seed, uint32 delay) external {
        uint256 target = block.timestamp + delay % 2 days;
        if (_open.length > 0) {
            IEscrow.Job storage job = _model[_open[(seed >> 8) % _open.length]];
            uint256 edge = _edgeOf(job) - seed % 2;
            bool tooFar = edge > block.timestamp + 10 days && (seed >> 16) % 8 > 0;
            if (edge > block.timestamp && !tooFar) target = edge;
        }
        vm.warp(target);
    }

    /// @notice The token stops or resumes serving one account, or everyone. A halt of everyone ends before the next disturbance,
    ///         or else hardly any job would be funded.
    function disturb(uint256 seed) external {
        if (usdc.paused()) return usdc.unpause();
        if (usdc.isBlacklisted(address(escrow))) return usdc.unBlacklist(address(escrow));
        if (seed % 8 == 0) return usdc.pause();
        if (seed % 8 == 1) return usdc.blacklist(address(escrow));
        address account = _actors[(seed >> 8) % _actors.length];
        if (usdc.isBlacklisted(account)) usdc.unBlacklist(account);
        else usdc.blacklist(account);
    }

    /// @notice Somebody has a deferred payment paid out.
    function claim(uint256 seed) external {
        address recipient = _actors[seed % _actors.length];
        uint256 owed = escrow.owedTo(recipient);
        bool served = owed > 0 && !usdc.paused() && !usdc.isBlacklisted(recipient) && !usdc.isBlacklisted(address(escrow));
        vm.prank(_actors[(seed >> 8) % _actors.length]);
        (bool succeeded,) = address(escrow).call(abi.encodeCall(Escrow.claim, (recipient)));
        if (succeeded != served) difference = "claim";
    }

    /// @notice Somebody sends tokens that belong to no job.
    function donate(uint64 amount) external {
        if (amount == 0 || usdc.paused() || usdc.isBlacklisted(address(escrow))) return;
        usdc.mint(address(escrow), amount);
        donated += amount;
    }

    /// @notice Ends every open job without the operator and without the arbiter: a party's call at most, then time, then anyone.
    function endAll() external {
        while (_open.length > 0) {
            bytes32 key = _open[_open.length - 1];
            IEscrow.Job storage job = _model[key];
            Step memory step = Step(key, Action.OpenDispute, job.terms.client, IEscrow.Party.Client, 0);
            if (job.state == IEscrow.JobState.Funded) _perform(step);
            step.caller = _actors[9];
            bool submitted = job.state == IEscrow.JobState.Submitted;
            uint256 edge = submitted ? job.reviewEndsAt : job.undecidedAt;
            if (block.timestamp < edge) vm.warp(edge);
            step.action = submitted ? Action.Release : Action.RefundUndecided;
            uint256 openBefore = _open.length;
            _perform(step);
            if (_open.length == openBefore) {
                difference = "a job could not be ended";
                return;
            }
        }
    }

    /// @notice Everybody is served again, and everything owed is paid out.
    function payAll() external {
        if (usdc.paused()) usdc.unpause();
        usdc.unBlacklist(address(escrow));
        for (uint256 i = 0; i < _actors.length; i++) {
            usdc.unBlacklist(_actors[i]);
            if (escrow.owedTo(_actors[i]) > 0) escrow.claim(_actors[i]);
        }
    }

    function _perform(Step memory step) private {
        bool expected = _isAllowed(step);
        vm.prank(step.caller);
        (bool succeeded,) = address(escrow).call(_callOf(step));
        if (succeeded != expected) {
            difference = succeeded ? "the escrow allowed what it should refuse" : "the escrow refused what it should allow";
            return;
        }
        if (succeeded) _apply(step);
        _compareJob(step.key);
        if (succeeded && _model[step.key].state == IEscrow.JobState.Closed) _forget(step.key);
    }

    function _callOf(Step memory step) private pure returns (bytes memory) {
        bytes32 key = step.key;
        if (step.action == Action.Submit) return abi.encodeCall(Escrow.submit, (key, keccak256("work")));
        if (step.action == Action.RequestChanges) return abi.encodeCall(Escrow.requestChanges, (key));
        if (step.action == Action.Release) return abi.encodeCall(Escrow.release, (key));
        if (step.action == Action.Refund) return abi.encodeCall(Escrow.refund, (key));
        if (step.action == Action.ClaimMissedDeadline) return abi.encodeCall(Escrow.claimMissedDeadline, (key));
        if (step.action == Action.OpenDispute) return abi.encodeCall(Escrow.openDispute, (key, step.party));
        if (step.action == Action.ProposeSettlement) {
            return abi.encodeCall(Escrow.proposeSettlement, (key, step.party, step.bps));
        }
        if (step.action == Action.AcceptSettlement) {
            return abi.encodeCall(Escrow.acceptSettlement, (key, step.party, step.bps));
        }
        if (step.action == Action.Rule) return abi.encodeCall(Escrow.rule, (key, step.bps));
        if (step.action == Action.RefundUndecided) return abi.encodeCall(Escrow.refundUndecided, (key));
        return abi.encodeCall(Escrow.disableOperator, (key));
    }

    function _callerOf(IEscrow.Job storage job, uint256 seed) private view returns (address) {
        uint256 kind = (seed >> 24) % 8;
        if (kind == 0) return job.terms.client;
        if (kind == 1) return job.terms.seller;
        if (kind == 2) return job.terms.agentWallet;
        if (kind == 3) return _operator;
        if (kind == 4) return _arbiter;
        return _actors[(seed >> 32) % _actors.length];
    }

    /// @dev The moment from which silence can end what the job is in.
    function _edgeOf(IEscrow.Job storage job) private view returns (uint256) {
        if (job.state == IEscrow.JobState.Submitted) return job.reviewEndsAt;
        if (job.state == IEscrow.JobState.Disputed) return job.undecidedAt;
        return uint256(job.dueAt) + 1 days;
    }

    /// @dev Half of the calls are the next natural step of the job, and most refunds are left out. Pure chance would refund nearly
    ///      every job before it got anywhere.
    function _actionOf(IEscrow.Job storage job, uint8 action, uint256 seed) private view returns (Action chosen) {
        chosen = Action(action % (uint8(type(Action).max) + 1));
        bool natural = (seed >> 48) % 2 == 0 || (chosen == Action.Refund && (seed >> 40) % 4 > 0);
        if (!natural) return chosen;
        if (job.state == IEscrow.JobState.Funded) return Action.Submit;
        if (job.state == IEscrow.JobState.Submitted) return Action.RequestChanges;
        return job.offeredBy == IEscrow.Party.None ? Action.ProposeSettlement : Action.AcceptSettlement;
    }

    /// @dev The side whose turn it is while an offer stands.
    function _partyToAnswer(IEscrow.Job storage job) private view returns (IEscrow.Party) {
        return job.offeredBy == IEscrow.Party.Client ? IEscrow.Party.Seller : IEscrow.Party.Client;
    }

    function _compareJob(bytes32 key) private {
        bytes32 actual = keccak256(abi.encode(escrow.jobOf(key)));
        if (actual != keccak256(abi.encode(_model[key]))) difference = "a job stands otherwise than it should";
    }

    function _forget(bytes32 key) private {
        _lastClosed = key;
        for (uint256 i = 0; i < _open.length; i++) {
            if (_open[i] != key) continue;
            _open[i] = _open[_open.length - 1];
            _open.pop();
            return;
        }
    }
}
