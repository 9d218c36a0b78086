import {
  buildSpendPermission,
  type ChainClient,
  checksumAddress,
  getAccountKind,
  getCurrentPeriod,
  getSpendPermissionHash,
  isAccountOwner,
  isSpendPermissionRevoked,
  prepareApproveWithSignature,
  prepareRevokeAsSpender,
  prepareSpend,
  simulateSpend,
  toJsonTypedData,
  verifySmartAccountTypedData,
} from '@agent-marketplace/chain'
import { AppError } from '@agent-marketplace/contract'
import type { Hex, SpendPermission, SpendPermissionCalls } from './port.ts'

/** Spend permissions of this service's spender. A chain that does not respond is UNAVAILABLE, never a "no". */
export function createSpendPermissionCalls({
  client,
  manager,
}: {
  client: ChainClient
  manager: Hex
}): SpendPermissionCalls {
  const typedDataOf = (permission: SpendPermission) =>
    buildSpendPermission({ chainId: client.chain.id, manager, permission })

  return {
    typedDataOf(permission) {
      const typedData = typedDataOf(permission)
      return { ...toJsonTypedData(typedData), domain: typedData.domain }
    },
    hashOf: (permission) => getSpendPermissionHash(client, { manager, permission }).catch(unanswered),
    accountKindOf: (input) => getAccountKind(client, input).catch(unanswered),

    async hasOwner({ permission, signature, owner }) {
      const question = { manager, permission, signature, owner: checksumAddress(owner) }
      const response = await isAccountOwner(client, question)
      if (response.status === 'unanswered') return unanswered(response.cause)
      return response.status === 'answered' && response.isOwner
    },

    async isSigned({ permission, signature }) {
      const { account: address } = permission
      const typedData = typedDataOf(permission)
      const verdict = await verifySmartAccountTypedData(client, { address, typedData, signature })
      if (verdict.status === 'unanswered') return unanswered(verdict.cause)
      return verdict.status === 'valid'
    },

    isRevoked: (permission) => isSpendPermissionRevoked(client, { manager, permission }).catch(unanswered),

    async currentPeriodOf(permission) {
      const response = await getCurrentPeriod(client, { manager, permission })
      if (response.status === 'unanswered') return unanswered(response.cause)
      return response.status === 'running' ? response.period : { refusal: response.reason }
    },

    async trySpend(input) {
      const response = await simulateSpend(client, { manager, ...input })
      if (response.status === 'unanswered') return unanswered(response.cause)
      return response.status === 'ok' ? undefined : response.reason
    },

    approveWithSignature: (input) => prepareApproveWithSignature({ manager, ...input }),
    spend: (input) => prepareSpend({ manager, ...input }),
    revokeAsSpender: (permission) => prepareRevokeAsSpender({ manager, permission }),
  }
}

function unanswered(cause: unknown): never {
  throw new AppError('UNAVAILABLE', { message: 'The chain is not responding right now.', cause })
}
