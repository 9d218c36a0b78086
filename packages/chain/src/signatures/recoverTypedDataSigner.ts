import { type Address, type Hex, recoverTypedDataAddress, type TypedDataDefinition } from 'viem'

/** Whose key signed this typed data; undefined when the bytes are nobody's signature. */
export const recoverTypedDataSigner = async ({
  typedData,
  signature,
}: {
  typedData: TypedDataDefinition
  signature: Hex
}): Promise<Address | undefined> => {
  try {
    return await recoverTypedDataAddress({ ...typedData, signature })
  } catch {
    // Not on the curve, or not of a signature's length.
    return undefined
  }
}
