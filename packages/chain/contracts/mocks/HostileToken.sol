// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @notice Told about every transfer, after the balances have changed.
interface ITransferObserver {
    function onTransfer() external;
}

/// @notice A token that can be told to misbehave: to keep a part, to add a part, to answer false, to answer nothing, or to tell the
///         recipient in the middle of a transfer.
contract HostileToken is ERC20("Hostile", "BAD") {
    enum Manner {
        Honest,
        TakesFee,
        AddsBonus,
        AnswersFalse,
        AnswersNothing,
        TellsRecipient
    }

    Manner public manner;

    function setManner(Manner manner_) external {
        manner = manner_;
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function transfer(address to, uint256 amount) public override returns (bool) {
        if (manner == Manner.AnswersFalse) return false;
        _transfer(msg.sender, to, amount);
        return _answer(to);
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (manner == Manner.AnswersFalse) return false;
        _spendAllowance(from, msg.sender, amount);
        _transfer(from, to, amount);
        if (manner == Manner.TakesFee) _burn(to, amount / 100);
        if (manner == Manner.AddsBonus) _mint(to, 1);
        return _answer(to);
    }

    /// @dev EIP-3009 without its signature: enough to show that the escrow checks what arrived on this way too.
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256,
        uint256,
        bytes32,
        bytes calldata
    ) external {
        _transfer(from, to, value);
        if (manner == Manner.TakesFee) _burn(to, value / 100);
    }

    function _answer(address to) private returns (bool) {
        if (manner == Manner.TellsRecipient && to.code.length > 0) ITransferObserver(to).onTransfer();
        if (manner == Manner.AnswersNothing) {
            assembly {
                return(0, 0)
            }
        }
        return true;
    }
}
