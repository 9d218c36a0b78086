// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {Test} from "../../testing/Test.sol";
import {SmartWallet} from "../SmartWallet.sol";
import {SmartWalletFactory} from "../SmartWalletFactory.sol";
import {SpendPermissionManager} from "../SpendPermissionManager.sol";
import {TestUsdc} from "../TestUsdc.sol";

/// @dev Alice's smart wallet, with the manager among its owners and 1,000 USDC, gives a permission to the spender.
abstract contract SpendPermissionTest is Test {
    SpendPermissionManager internal constant MANAGER =
        SpendPermissionManager(payable(0xf85210B21cC50302F477BA56686d2019dC9b67Ad));
    SmartWalletFactory internal constant FACTORY = SmartWalletFactory(0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842);

    TestUsdc internal usdc;
    SmartWallet internal wallet;
    address internal alice;
    address internal spender;
    SpendPermissionManager.SpendPermission internal permission;

    function setUp() public virtual {
        // As on the devnet: only the runtime code is placed, no constructor ever runs at these addresses.
        vm.etch(address(MANAGER), address(new SpendPermissionManager()).code);
        vm.etch(address(FACTORY), address(new SmartWalletFactory()).code);
        alice = makeAddr("alice");
        spender = makeAddr("spender");
        usdc = new TestUsdc(address(this));
        wallet = FACTORY.createAccount(_walletOwners(), 0);
        usdc.mint(address(wallet), 1000e6);
        permission = _permissionOf(address(wallet));
    }

    function _walletOwners() internal view returns (bytes[] memory owners) {
        owners = new bytes[](2);
        owners[0] = abi.encode(alice);
        owners[1] = abi.encode(address(MANAGER));
    }

    function _permissionOf(address account) internal view returns (SpendPermissionManager.SpendPermission memory) {
        return SpendPermissionManager.SpendPermission({
            account: account,
            spender: spender,
            token: address(usdc),
            allowance: 10e6,
            period: 30 days,
            start: uint48(block.timestamp),
            end: uint48(block.timestamp + 365 days),
            salt: 1,
            extraData: ""
        });
    }

    function _approve() internal returns (bool) {
        vm.prank(permission.account);
        return MANAGER.approve(permission);
    }

    function _spend(uint160 value) internal {
        vm.prank(permission.spender);
        MANAGER.spend(permission, value);
    }

    /// @dev Alice's ERC-1271 signature for a wallet at `account`, deployed or not.
    function _walletSignature(string memory who, address account, bytes32 hash) internal view returns (bytes memory) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Coinbase Smart Wallet"),
                keccak256("1"),
                block.chainid,
                account
            )
        );
        bytes32 structHash = keccak256(abi.encode(keccak256("CoinbaseSmartWalletMessage(bytes32 hash)"), hash));
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, structHash));
        return abi.encode(SmartWallet.SignatureWrapper(0, _keySignature(who, digest)));
    }

    function _keySignature(string memory who, bytes32 digest) internal pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey(who), digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev The ERC-6492 wrapping.
    function _wrap(address factory, bytes memory factoryCalldata, bytes memory signature)
        internal
        pure
        returns (bytes memory)
    {
        bytes32 magic = 0x6492649264926492649264926492649264926492649264926492649264926492;
        return abi.encodePacked(abi.encode(factory, factoryCalldata, signature), magic);
    }

    function _assertPeriod(
        SpendPermissionManager.PeriodSpend memory period,
        uint256 start,
        uint256 end,
        uint256 spent
    ) internal pure {
        vm.assertEq(period.start, start, "period start");
        vm.assertEq(period.end, end, "period end");
        vm.assertEq(period.spend, spent, "period spend");
    }
}
