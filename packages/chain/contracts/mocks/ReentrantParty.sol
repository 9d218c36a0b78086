// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ITransferObserver} from "./HostileToken.sol";

/// @notice A wallet that calls back when it is paid, and remembers how that went; or that refuses to be paid at all.
contract ReentrantParty is ITransferObserver {
    address private _target;
    bytes private _call;
    bool private _refuses;

    uint256 public attempts;
    bool public succeeded;
    bytes public reason;

    error Refused();

    function callBack(address target, bytes calldata call) external {
        _target = target;
        _call = call;
    }

    function refuse() external {
        _refuses = true;
    }

    /// @notice Does what its owner wants, like any smart wallet.
    function execute(address target, bytes calldata call) external {
        (bool done, bytes memory problem) = target.call(call);
        if (done) return;
        assembly {
            revert(add(problem, 32), mload(problem))
        }
    }

    /// @inheritdoc ITransferObserver
    function onTransfer() external {
        if (_refuses) revert Refused();
        if (_target == address(0)) return;
        attempts += 1;
        (succeeded, reason) = _target.call(_call);
    }
}
