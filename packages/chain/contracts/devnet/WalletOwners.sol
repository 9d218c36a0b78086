// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

/// @title WalletOwners
///
/// @notice The owners of a smart wallet, each at an index that is never given twice.
///
/// @dev An owner is 32 bytes (an address, left-padded) or 64 bytes (the x and y of a passkey).
abstract contract WalletOwners {
    /// @notice The index that the next owner will get.
    uint256 public nextOwnerIndex;

    /// @notice How many owners were removed so far.
    uint256 public removedOwnersCount;

    mapping(uint256 index => bytes owner) private _owners;
    mapping(bytes owner => bool isOwner) private _isOwner;

    /// @notice An owner was added.
    event AddOwner(uint256 indexed index, bytes owner);

    /// @notice An owner was removed.
    event RemoveOwner(uint256 indexed index, bytes owner);

    /// @notice The caller is neither an owner nor the wallet itself.
    error Unauthorized();

    /// @notice The owner is there already.
    error AlreadyOwner(bytes owner);

    /// @notice No owner stands at this index.
    error NoOwnerAtIndex(uint256 index);

    /// @notice Another owner than the expected one stands at this index.
    error WrongOwnerAtIndex(uint256 index, bytes expectedOwner, bytes actualOwner);

    /// @notice An owner is 32 or 64 bytes long.
    error InvalidOwnerBytesLength(bytes owner);

    /// @notice The 32 bytes are too large a number for an address.
    error InvalidEthereumAddressOwner(bytes owner);

    /// @notice A wallet without an owner would be lost.
    error LastOwner();

    modifier onlyOwner() {
        if (!isOwnerAddress(msg.sender) && msg.sender != address(this)) revert Unauthorized();
        _;
    }

    /// @notice Adds an account as an owner.
    function addOwnerAddress(address owner) external onlyOwner {
        _addOwner(abi.encode(owner));
    }

    /// @notice Adds a passkey as an owner.
    function addOwnerPublicKey(bytes32 x, bytes32 y) external onlyOwner {
        _addOwner(abi.encode(x, y));
    }

    /// @notice Removes an owner, though never the last one.
    ///
    /// @param index Where the owner stands.
    /// @param owner Which owner is expected there.
    function removeOwnerAtIndex(uint256 index, bytes calldata owner) external onlyOwner {
        if (ownerCount() == 1) revert LastOwner();
        bytes memory actual = _owners[index];
        if (actual.length == 0) revert NoOwnerAtIndex(index);
        if (keccak256(actual) != keccak256(owner)) revert WrongOwnerAtIndex(index, owner, actual);

        delete _owners[index];
        delete _isOwner[owner];
        ++removedOwnersCount;
        emit RemoveOwner(index, owner);
    }

    /// @notice Whether an account is an owner.
    function isOwnerAddress(address account) public view returns (bool) {
        return _isOwner[abi.encode(account)];
    }

    /// @notice Whether a passkey is an owner.
    function isOwnerPublicKey(bytes32 x, bytes32 y) external view returns (bool) {
        return _isOwner[abi.encode(x, y)];
    }

    /// @notice Whether these bytes are an owner.
    function isOwnerBytes(bytes memory account) external view returns (bool) {
        return _isOwner[account];
    }

    /// @notice The owner at an index; empty where there is none.
    function ownerAtIndex(uint256 index) public view returns (bytes memory) {
        return _owners[index];
    }

    /// @notice How many owners there are.
    function ownerCount() public view returns (uint256) {
        return nextOwnerIndex - removedOwnersCount;
    }

    function _addOwner(bytes memory owner) internal {
        if (owner.length != 32 && owner.length != 64) revert InvalidOwnerBytesLength(owner);
        if (owner.length == 32 && uint256(bytes32(owner)) > type(uint160).max) {
            revert InvalidEthereumAddressOwner(owner);
        }
        if (_isOwner[owner]) revert AlreadyOwner(owner);

        uint256 index = nextOwnerIndex++;
        _owners[index] = owner;
        _isOwner[owner] = true;
        emit AddOwner(index, owner);
    }
}
