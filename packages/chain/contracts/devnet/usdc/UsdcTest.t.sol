// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Test} from "../../testing/Test.sol";
import {SmartWallet} from "../SmartWallet.sol";
import {SmartWalletFactory} from "../SmartWalletFactory.sol";
import {TestUsdc} from "../TestUsdc.sol";

/// @dev The test contract owns the token; Alice starts with 1,000 USDC, and so does the smart wallet that she owns.
abstract contract UsdcTest is Test {
    TestUsdc internal usdc;
    SmartWallet internal wallet;
    address internal alice;
    address internal bob;
    address internal carol;

    function setUp() public {
        usdc = new TestUsdc(address(this));
        alice = makeAddr("alice");
        bob = makeAddr("bob");
        carol = makeAddr("carol");
        bytes[] memory owners = new bytes[](1);
        owners[0] = abi.encode(alice);
        wallet = new SmartWalletFactory().createAccount(owners, 0);
        usdc.mint(alice, 1000e6);
        usdc.mint(address(wallet), 1000e6);
    }

    /// @dev Built by hand, so that the contract's own domain separator is checked and not trusted.
    function _digest(bytes32 structHash) internal view returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", _domain(address(usdc)), structHash));
    }

    function _domain(address token) internal view returns (bytes32) {
        return keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("USDC"),
                keccak256("2"),
                block.chainid,
                token
            )
        );
    }

    function _sign(string memory who, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey(who), digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev Alice's signature for her smart wallet.
    function _signForWallet(bytes32 digest) internal view returns (bytes memory) {
        return abi.encode(SmartWallet.SignatureWrapper(0, _sign("alice", wallet.replaySafeHash(digest))));
    }
}
