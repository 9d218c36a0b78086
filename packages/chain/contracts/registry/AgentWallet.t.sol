// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {SmartWallet} from "../devnet/SmartWallet.sol";
import {SmartWalletFactory} from "../devnet/SmartWalletFactory.sol";
import {Test} from "../testing/Test.sol";
import {AgentRegistry} from "./AgentRegistry.sol";

contract AgentWalletTest is Test {
    AgentRegistry internal registry;
    address internal alice;
    address internal bob;
    address internal wallet;
    uint256 internal agentId;
    uint256 internal deadline;

    function setUp() public {
        registry = new AgentRegistry();
        alice = makeAddr("alice");
        bob = makeAddr("bob");
        wallet = makeAddr("wallet");
        vm.prank(alice);
        agentId = registry.register();
        deadline = block.timestamp + 5 minutes;
    }

    function test_typehash_is_that_of_the_standard() public view {
        vm.assertEq(
            registry.AGENT_WALLET_SET_TYPEHASH(),
            0x678b53cd718d595370ab070ebf48edfdcd834beac116bf23e625fc7f4d5b7d32
        );
    }

    function test_setAgentWallet_with_the_signature_of_a_key() public {
        bytes memory signature = _sign("wallet", agentId, wallet, alice, deadline);
        vm.expectEmit(address(registry));
        emit AgentRegistry.MetadataSet(agentId, "agentWallet", "agentWallet", abi.encodePacked(wallet));
        vm.prank(alice);
        registry.setAgentWallet(agentId, wallet, deadline, signature);
        vm.assertEq(registry.getAgentWallet(agentId), wallet);
    }

    function test_setAgentWallet_with_the_signature_of_a_contract() public {
        SmartWallet smartWallet = _smartWalletOf(bob);
        bytes32 digest = _digest(agentId, address(smartWallet), alice, deadline);
        bytes memory signature = _signRaw("bob", smartWallet.replaySafeHash(digest));
        vm.prank(alice);
        registry.setAgentWallet(
            agentId, address(smartWallet), deadline, abi.encode(SmartWallet.SignatureWrapper(0, signature))
        );
        vm.assertEq(registry.getAgentWallet(agentId), address(smartWallet));
    }

    function test_setAgentWallet_accepts_the_key_of_an_account_that_has_code() public {
        vm.etch(wallet, hex"00");
        bytes memory signature = _sign("wallet", agentId, wallet, alice, deadline);
        vm.prank(alice);
        registry.setAgentWallet(agentId, wallet, deadline, signature);
        vm.assertEq(registry.getAgentWallet(agentId), wallet);
    }

    function test_setAgentWallet_by_an_operator_is_signed_for_the_owner() public {
        vm.prank(alice);
        registry.setApprovalForAll(bob, true);
        bytes memory signature = _sign("wallet", agentId, wallet, alice, deadline);
        vm.prank(bob);
        registry.setAgentWallet(agentId, wallet, deadline, signature);
        vm.assertEq(registry.getAgentWallet(agentId), wallet);
    }

    function test_setAgentWallet_reverts_for_a_stranger() public {
        bytes memory signature = _sign("wallet", agentId, wallet, alice, deadline);
        vm.expectRevert(bytes("Not authorized"));
        vm.prank(bob);
        registry.setAgentWallet(agentId, wallet, deadline, signature);
    }

    function test_setAgentWallet_reverts_for_an_unknown_agent() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 9));
        registry.setAgentWallet(9, wallet, deadline, "");
    }

    function test_setAgentWallet_reverts_on_the_zero_wallet() public {
        _expectRefusal("bad wallet", address(0), deadline, new bytes(65));
    }

    function test_setAgentWallet_reverts_after_the_deadline() public {
        bytes memory signature = _sign("wallet", agentId, wallet, alice, deadline);
        vm.warp(deadline + 1);
        _expectRefusal("expired", wallet, deadline, signature);
    }

    function test_setAgentWallet_holds_in_the_second_of_the_deadline() public {
        bytes memory signature = _sign("wallet", agentId, wallet, alice, deadline);
        vm.warp(deadline);
        vm.prank(alice);
        registry.setAgentWallet(agentId, wallet, deadline, signature);
        vm.assertEq(registry.getAgentWallet(agentId), wallet);
    }

    function test_setAgentWallet_reverts_when_the_deadline_is_too_far() public {
        bytes memory signature = _sign("wallet", agentId, wallet, alice, deadline + 1);
        _expectRefusal("deadline too far", wallet, deadline + 1, signature);
    }

    function test_setAgentWallet_reverts_on_the_signature_of_another() public {
        _expectRefusal("invalid wallet sig", wallet, deadline, _sign("bob", agentId, wallet, alice, deadline));
    }

    function test_setAgentWallet_reverts_on_a_signature_for_another_agent() public {
        _expectRefusal("invalid wallet sig", wallet, deadline, _sign("wallet", agentId + 1, wallet, alice, deadline));
    }

    function test_setAgentWallet_reverts_on_a_signature_for_another_owner() public {
        _expectRefusal("invalid wallet sig", wallet, deadline, _sign("wallet", agentId, wallet, bob, deadline));
    }

    function test_setAgentWallet_reverts_on_a_signature_for_another_registry() public {
        AgentRegistry other = new AgentRegistry();
        bytes memory signature = _signRaw("wallet", _digestFor(other, agentId, wallet, alice, deadline));
        _expectRefusal("invalid wallet sig", wallet, deadline, signature);
    }

    function test_setAgentWallet_reverts_on_a_signature_for_another_chain() public {
        bytes memory signature = _sign("wallet", agentId, wallet, alice, deadline);
        vm.chainId(1);
        _expectRefusal("invalid wallet sig", wallet, deadline, signature);
    }

    function test_setAgentWallet_reverts_on_a_malformed_signature() public {
        _expectRefusal("invalid wallet sig", wallet, deadline, hex"1234");
    }

    function test_setAgentWallet_reverts_when_the_contract_did_not_sign() public {
        SmartWallet smartWallet = _smartWalletOf(bob);
        bytes memory wrapped = abi.encode(SmartWallet.SignatureWrapper(0, new bytes(65)));
        _expectRefusal("invalid wallet sig", address(smartWallet), deadline, wrapped);
    }

    function test_unsetAgentWallet() public {
        vm.expectEmit(address(registry));
        emit AgentRegistry.MetadataSet(agentId, "agentWallet", "agentWallet", "");
        vm.prank(alice);
        registry.unsetAgentWallet(agentId);
        vm.assertEq(registry.getAgentWallet(agentId), address(0));
        vm.assertEq(registry.getMetadata(agentId, "agentWallet"), "");
    }

    function test_unsetAgentWallet_reverts_for_a_stranger() public {
        vm.expectRevert(bytes("Not authorized"));
        vm.prank(bob);
        registry.unsetAgentWallet(agentId);
    }

    function test_transfer_clears_the_wallet() public {
        vm.expectEmit(address(registry));
        emit AgentRegistry.MetadataSet(agentId, "agentWallet", "agentWallet", "");
        vm.prank(alice);
        registry.transferFrom(alice, bob, agentId);
        vm.assertEq(registry.ownerOf(agentId), bob);
        vm.assertEq(registry.getAgentWallet(agentId), address(0));
    }

    function test_consent_given_to_the_old_owner_is_void_after_a_transfer() public {
        bytes memory signature = _sign("wallet", agentId, wallet, alice, deadline);
        vm.prank(alice);
        registry.transferFrom(alice, bob, agentId);
        vm.expectRevert(bytes("invalid wallet sig"));
        vm.prank(bob);
        registry.setAgentWallet(agentId, wallet, deadline, signature);
    }

    function test_getAgentWallet_of_an_unknown_agent_is_zero() public view {
        vm.assertEq(registry.getAgentWallet(99), address(0));
    }

    function _expectRefusal(string memory reason, address newWallet, uint256 until, bytes memory signature) private {
        vm.expectRevert(bytes(reason));
        vm.prank(alice);
        registry.setAgentWallet(agentId, newWallet, until, signature);
    }

    function _smartWalletOf(address owner) private returns (SmartWallet) {
        bytes[] memory owners = new bytes[](1);
        owners[0] = abi.encode(owner);
        return new SmartWalletFactory().createAccount(owners, 0);
    }

    function _sign(string memory who, uint256 id, address newWallet, address owner, uint256 until)
        private
        view
        returns (bytes memory)
    {
        return _signRaw(who, _digest(id, newWallet, owner, until));
    }

    function _signRaw(string memory who, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(makeKey(who), digest);
        return abi.encodePacked(r, s, v);
    }

    function _digest(uint256 id, address newWallet, address owner, uint256 until) private view returns (bytes32) {
        return _digestFor(registry, id, newWallet, owner, until);
    }

    function _digestFor(AgentRegistry target, uint256 id, address newWallet, address owner, uint256 until)
        private
        view
        returns (bytes32)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("ERC8004IdentityRegistry"),
                keccak256("1"),
                block.chainid,
                address(target)
            )
        );
        bytes32 structHash = keccak256(
            abi.encode(
                keccak256("AgentWalletSet(uint256 agentId,address newWallet,address owner,uint256 deadline)"),
                id,
                newWallet,
                owner,
                until
            )
        );
        return keccak256(abi.encodePacked("\x19\x01", domain, structHash));
    }
}
