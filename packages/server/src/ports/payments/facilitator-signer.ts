import { type ChainClient, describeFailure } from '@agent-marketplace/chain'
import type { ExactEvmScheme } from '@x402/evm/exact/facilitator'

type Signer = ConstructorParameters<typeof ExactEvmScheme>[0]

export interface ReadingSigner {
  signer: Signer
  /** Set when the chain left a question open: whatever was concluded from it is worth nothing. */
  unanswered: unknown
}

/**
 * What the x402 library reads the chain through, while it checks one payment. It takes a dead node for a bad signature;
 * so missing responses are remembered here. It never sends: only the money engine settles.
 */
export function createReadingSigner(client: ChainClient, operator: `0x${string}`): ReadingSigner {
  const reading: ReadingSigner = {
    unanswered: undefined,
    signer: {
      getAddresses: () => [operator],
      readContract: (call) => noting(client.readContract(call)),
      getCode: (query) => noting(client.getCode(query)),
      verifyTypedData: (data) =>
        noting(client.verifyTypedData(data as Parameters<typeof client.verifyTypedData>[0])),
      writeContract: refuseToSend,
      sendTransaction: refuseToSend,
      waitForTransactionReceipt: refuseToSend,
    },
  }

  async function noting<T>(question: Promise<T>): Promise<T> {
    try {
      return await question
    } catch (error) {
      const failure = describeFailure(error)
      if (failure.status === 'unanswered' && !isEmptyResponse(error)) reading.unanswered = failure.cause
      throw error
    }
  }

  return reading
}

/** A call to an address without code returns nothing, which is a valid response. */
function isEmptyResponse(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === 'ContractFunctionZeroDataError' || current.name === 'AbiDecodingZeroDataError')
      return true
  }
  return false
}

async function refuseToSend(): Promise<never> {
  throw new Error('this signer only reads')
}
