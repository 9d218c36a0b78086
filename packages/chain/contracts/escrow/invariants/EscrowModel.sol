// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IEscrow} from "../IEscrow.sol";

/// @notice The escrow's rules a second time, as plain statements: who may do what when, what it changes, and who gets the money.
///         It moves no tokens. The handler makes every call on both and compares.
abstract contract EscrowModel {
    enum Action {
        Submit,
        RequestChanges,
        Release,
        Refund,
        ClaimMissedDeadline,
        OpenDispute,
        ProposeSettlement,
        AcceptSettlement,
        Rule,
        RefundUndecided,
        DisableOperator
    }

    struct Step {
        bytes32 key;
        Action action;
        address caller;
        IEscrow.Party party;
        uint16 bps;
    }

    /// @notice All that an address should have been paid or credited so far.
    mapping(address account => uint256 amount) public earned;

    /// @notice What the open jobs should hold together.
    uint256 public held;

    /// @notice How many jobs ended in each way.
    mapping(IEscrow.Outcome outcome => uint256 count) public closed;

    address internal _operator;
    address internal _arbiter;
    address internal _treasury;
    mapping(bytes32 key => IEscrow.Job job) internal _model;

    function _isAllowed(Step memory step) internal view returns (bool) {
        IEscrow.Job storage job = _model[step.key];
        bool funded = job.state == IEscrow.JobState.Funded;
        bool inReview = job.state == IEscrow.JobState.Submitted && block.timestamp < job.reviewEndsAt;
        bool reviewed = job.state == IEscrow.JobState.Submitted && block.timestamp >= job.reviewEndsAt;
        bool undecided = job.state == IEscrow.JobState.Disputed && block.timestamp < job.undecidedAt;
        bool givenUp = job.state == IEscrow.JobState.Disputed && block.timestamp >= job.undecidedAt;
        bool open = funded || inReview || reviewed || undecided || givenUp;
        bool byClient = _speaksFor(job, IEscrow.Party.Client, step.caller);
        bool bySeller = _speaksFor(job, IEscrow.Party.Seller, step.caller);
        bool byParty = _speaksFor(job, step.party, step.caller);
        bool isShare = step.bps <= 10_000;

        if (step.action == Action.Submit) return funded && bySeller;
        if (step.action == Action.RequestChanges) return inReview && byClient && job.changeRequests < 2;
        if (step.action == Action.Release) return reviewed || (inReview && byClient);
        if (step.action == Action.Refund) return open && bySeller;
        if (step.action == Action.ClaimMissedDeadline) {
            return funded && byClient && job.dueAt != 0 && block.timestamp >= uint256(job.dueAt) + 1 days;
        }
        if (step.action == Action.OpenDispute) return (funded || inReview) && byParty;
        if (step.action == Action.ProposeSettlement) return undecided && byParty && isShare;
        if (step.action == Action.AcceptSettlement) {
            bool fromTheOtherSide = job.offeredBy != IEscrow.Party.None && job.offeredBy != step.party;
            return undecided && byParty && fromTheOtherSide && job.offeredBps == step.bps;
        }
        if (step.action == Action.Rule) return undecided && step.caller == _arbiter && isShare;
        if (step.action == Action.RefundUndecided) return givenUp;
        return open && (_isClient(job, step.caller) || _isSeller(job, step.caller));
    }

    function _apply(Step memory step) internal {
        IEscrow.Job storage job = _model[step.key];
        uint64 timestamp = uint64(block.timestamp);
        if (step.action == Action.Submit) {
            job.state = IEscrow.JobState.Submitted;
            job.reviewEndsAt = timestamp + 7 days;
        } else if (step.action == Action.RequestChanges) {
            job.state = IEscrow.JobState.Funded;
            job.changeRequests += 1;
            job.reviewEndsAt = 0;
            if (job.dueAt != 0 && job.dueAt < timestamp + 7 days) job.dueAt = timestamp + 7 days;
        } else if (step.action == Action.OpenDispute) {
            job.state = IEscrow.JobState.Disputed;
            job.undecidedAt = timestamp + 30 days;
        } else if (step.action == Action.ProposeSettlement) {
            job.offeredBy = step.party;
            job.offeredBps = step.bps;
        } else if (step.action == Action.DisableOperator) {
            if (_isClient(job, step.caller)) job.clientActsAlone = true;
            if (_isSeller(job, step.caller)) job.sellerActsAlone = true;
        } else {
            _end(job, step);
        }
    }

    function _end(IEscrow.Job storage job, Step memory step) private {
        uint256 share = 0;
        if (step.action == Action.Release) (job.outcome, share) = (IEscrow.Outcome.Released, 10_000);
        else if (step.action == Action.Refund) job.outcome = IEscrow.Outcome.Refunded;
        else if (step.action == Action.AcceptSettlement) (job.outcome, share) = (IEscrow.Outcome.Settled, step.bps);
        else if (step.action == Action.Rule) (job.outcome, share) = (IEscrow.Outcome.Ruled, step.bps);
        else job.outcome = IEscrow.Outcome.Expired;

        uint256 amount = job.terms.amount;
        uint256 gross = amount * share / 10_000;
        uint256 fee = gross / 50;
        job.state = IEscrow.JobState.Closed;
        closed[job.outcome] += 1;
        held -= amount;
        earned[job.terms.agentWallet] += gross - fee;
        earned[_treasury] += fee;
        earned[job.terms.client] += amount - gross;
    }

    function _speaksFor(IEscrow.Job storage job, IEscrow.Party party, address caller) private view returns (bool) {
        if (party == IEscrow.Party.None) return false;
        if (party == IEscrow.Party.Client) {
            return _isClient(job, caller) || (caller == _operator && !job.clientActsAlone);
        }
        return _isSeller(job, caller) || (caller == _operator && !job.sellerActsAlone);
    }

    function _isClient(IEscrow.Job storage job, address caller) private view returns (bool) {
        return caller == job.terms.client;
    }

    function _isSeller(IEscrow.Job storage job, address caller) private view returns (bool) {
        return caller == job.terms.seller || caller == job.terms.agentWallet;
    }
}
