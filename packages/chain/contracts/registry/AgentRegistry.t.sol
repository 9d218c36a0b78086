// SPDX-License-Identifier: MIT
pragma solidity ^0.8.37;

import {IERC721Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";
import {IERC721} from "@openzeppelin/contracts/token/ERC721/IERC721.sol";
import {Test} from "../testing/Test.sol";
import {AgentRegistry} from "./AgentRegistry.sol";

/// @dev Owns agents, and looks at each one from inside the receiver hook.
contract CuriousOwner is IERC721Receiver {
    AgentRegistry private immutable _registry;
    string public seenUri;
    address public seenWallet;
    address public forwardTo;

    constructor(AgentRegistry registry) {
        _registry = registry;
    }

    function register(string memory uri) external returns (uint256) {
        return _registry.register(uri);
    }

    function registerThenForward(address to) external returns (uint256) {
        forwardTo = to;
        return _registry.register();
    }

    function onERC721Received(address, address, uint256 agentId, bytes calldata) external returns (bytes4) {
        seenUri = _registry.tokenURI(agentId);
        seenWallet = _registry.getAgentWallet(agentId);
        if (forwardTo != address(0)) _registry.transferFrom(address(this), forwardTo, agentId);
        return IERC721Receiver.onERC721Received.selector;
    }
}

/// @dev Has code but no receiver hook.
contract DeafOwner {
    function register(AgentRegistry registry) external {
        registry.register();
    }
}

contract AgentRegistryTest is Test {
    AgentRegistry internal registry;
    address internal alice;
    address internal bob;

    function setUp() public {
        registry = new AgentRegistry();
        alice = makeAddr("alice");
        bob = makeAddr("bob");
    }

    function test_identity_of_the_registry() public view {
        vm.assertEq(registry.name(), "AgentIdentity");
        vm.assertEq(registry.symbol(), "AGENT");
        vm.assertEq(registry.getVersion(), "2.0.0");
        vm.assertTrue(registry.supportsInterface(type(IERC721).interfaceId));
        (, string memory name, string memory version, uint256 chainId, address verifier,,) = registry.eip712Domain();
        vm.assertEq(name, "ERC8004IdentityRegistry");
        vm.assertEq(version, "1");
        vm.assertEq(chainId, block.chainid);
        vm.assertEq(verifier, address(registry));
    }

    function test_register_counts_from_zero() public {
        vm.startPrank(alice);
        vm.assertEq(registry.register(), 0);
        vm.assertEq(registry.register("ipfs://one"), 1);
        vm.assertEq(registry.register("ipfs://two", new AgentRegistry.MetadataEntry[](0)), 2);
        vm.stopPrank();
        vm.assertEq(registry.balanceOf(alice), 3);
        vm.assertEq(registry.ownerOf(0), alice);
        vm.assertEq(registry.tokenURI(0), "");
        vm.assertEq(registry.tokenURI(1), "ipfs://one");
        vm.assertEq(registry.tokenURI(2), "ipfs://two");
    }

    function test_register_makes_the_caller_the_wallet() public {
        vm.prank(alice);
        uint256 agentId = registry.register();
        vm.assertEq(registry.getAgentWallet(agentId), alice);
        vm.assertEq(registry.getMetadata(agentId, "agentWallet"), abi.encodePacked(alice));
    }

    function test_register_emits() public {
        vm.expectEmit(address(registry));
        emit IERC721.Transfer(address(0), alice, 0);
        vm.expectEmit(address(registry));
        emit AgentRegistry.Registered(0, "ipfs://one", alice);
        vm.expectEmit(address(registry));
        emit AgentRegistry.MetadataSet(0, "agentWallet", "agentWallet", abi.encodePacked(alice));
        vm.expectEmit(address(registry));
        emit AgentRegistry.MetadataSet(0, "role", "role", "writer");
        AgentRegistry.MetadataEntry[] memory metadata = new AgentRegistry.MetadataEntry[](1);
        metadata[0] = AgentRegistry.MetadataEntry("role", "writer");
        vm.prank(alice);
        registry.register("ipfs://one", metadata);
        vm.assertEq(registry.getMetadata(0, "role"), "writer");
    }

    function test_register_without_a_file_emits_an_empty_uri() public {
        vm.expectEmit(address(registry));
        emit AgentRegistry.Registered(0, "", alice);
        vm.prank(alice);
        registry.register();
    }

    function test_register_reverts_on_the_reserved_key() public {
        AgentRegistry.MetadataEntry[] memory metadata = new AgentRegistry.MetadataEntry[](1);
        metadata[0] = AgentRegistry.MetadataEntry("agentWallet", abi.encodePacked(bob));
        vm.expectRevert(bytes("reserved key"));
        registry.register("ipfs://one", metadata);
    }

    function test_register_calls_the_receiver_hook_when_all_is_set() public {
        CuriousOwner owner = new CuriousOwner(registry);
        uint256 agentId = owner.register("ipfs://one");
        vm.assertEq(owner.seenUri(), "ipfs://one");
        vm.assertEq(owner.seenWallet(), address(owner));
        vm.assertEq(registry.ownerOf(agentId), address(owner));
    }

    function test_register_hook_that_forwards_the_agent_leaves_no_wallet() public {
        uint256 agentId = new CuriousOwner(registry).registerThenForward(bob);
        vm.assertEq(registry.ownerOf(agentId), bob);
        vm.assertEq(registry.getAgentWallet(agentId), address(0));
    }

    function test_register_reverts_for_a_contract_without_the_hook() public {
        DeafOwner owner = new DeafOwner();
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721InvalidReceiver.selector, address(owner)));
        owner.register(registry);
    }

    function test_setAgentURI_by_owner_approved_and_operator() public {
        uint256 agentId = _registerAs(alice);
        address operator = makeAddr("operator");
        vm.startPrank(alice);
        registry.setAgentURI(agentId, "ipfs://owner");
        registry.approve(bob, agentId);
        registry.setApprovalForAll(operator, true);
        vm.stopPrank();
        vm.assertEq(registry.tokenURI(agentId), "ipfs://owner");

        vm.prank(bob);
        registry.setAgentURI(agentId, "ipfs://approved");
        vm.assertEq(registry.tokenURI(agentId), "ipfs://approved");

        vm.expectEmit(address(registry));
        emit AgentRegistry.URIUpdated(agentId, "ipfs://operator", operator);
        vm.prank(operator);
        registry.setAgentURI(agentId, "ipfs://operator");
        vm.assertEq(registry.tokenURI(agentId), "ipfs://operator");
    }

    function test_setAgentURI_reverts_for_a_stranger() public {
        uint256 agentId = _registerAs(alice);
        vm.expectRevert(bytes("Not authorized"));
        vm.prank(bob);
        registry.setAgentURI(agentId, "ipfs://stolen");
    }

    function test_setAgentURI_reverts_for_an_unknown_agent() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 7));
        registry.setAgentURI(7, "ipfs://none");
    }

    function testFuzz_setMetadata_keeps_what_was_written(string memory key, bytes memory value) public {
        vm.assume(keccak256(bytes(key)) != keccak256("agentWallet"));
        uint256 agentId = _registerAs(alice);
        vm.expectEmit(address(registry));
        emit AgentRegistry.MetadataSet(agentId, key, key, value);
        vm.prank(alice);
        registry.setMetadata(agentId, key, value);
        vm.assertEq(registry.getMetadata(agentId, key), value);
    }

    function test_setMetadata_reverts_on_the_reserved_key() public {
        uint256 agentId = _registerAs(alice);
        vm.expectRevert(bytes("reserved key"));
        vm.prank(alice);
        registry.setMetadata(agentId, "agentWallet", abi.encodePacked(bob));
    }

    function test_setMetadata_reverts_for_a_stranger() public {
        uint256 agentId = _registerAs(alice);
        vm.expectRevert(bytes("Not authorized"));
        vm.prank(bob);
        registry.setMetadata(agentId, "role", "thief");
    }

    function test_setMetadata_reverts_for_an_unknown_agent() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 7));
        registry.setMetadata(7, "role", "none");
    }

    function test_isAuthorizedOrOwner() public {
        uint256 agentId = _registerAs(alice);
        vm.assertTrue(registry.isAuthorizedOrOwner(alice, agentId));
        vm.assertFalse(registry.isAuthorizedOrOwner(bob, agentId));
        vm.assertFalse(registry.isAuthorizedOrOwner(address(0), agentId));
        vm.prank(alice);
        registry.approve(bob, agentId);
        vm.assertTrue(registry.isAuthorizedOrOwner(bob, agentId));
    }

    function test_isAuthorizedOrOwner_reverts_for_an_unknown_agent() public {
        vm.expectRevert(abi.encodeWithSelector(IERC721Errors.ERC721NonexistentToken.selector, 0));
        registry.isAuthorizedOrOwner(alice, 0);
    }

    function _registerAs(address owner) private returns (uint256) {
        vm.prank(owner);
        return registry.register("ipfs://file");
    }
}
