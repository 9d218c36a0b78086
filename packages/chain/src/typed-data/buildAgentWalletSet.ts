import type { Address } from 'viem'

/** What a wallet signs to agree that it becomes the payment wallet of an ERC-8004 agent. The deadline lies at most five minutes ahead. */
export const buildAgentWalletSet = ({
  chainId,
  registry,
  agentId,
  newWallet,
  owner,
  deadline,
}: {
  chainId: number
  registry: Address
  agentId: bigint
  newWallet: Address
  owner: Address
  deadline: bigint
}) =>
  ({
    domain: { name: 'ERC8004IdentityRegistry', version: '1', chainId, verifyingContract: registry },
    types: {
      AgentWalletSet: [
        { name: 'agentId', type: 'uint256' },
        { name: 'newWallet', type: 'address' },
        { name: 'owner', type: 'address' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'AgentWalletSet',
    message: { agentId, newWallet, owner, deadline },
  }) as const
