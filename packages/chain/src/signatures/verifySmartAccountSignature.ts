import {
  type Address,
  type Client,
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  type Hex,
  hashMessage,
  hashTypedData,
  isAddress,
  isAddressEqual,
  isHex,
  type TypedDataDefinition,
  zeroAddress,
} from 'viem'
import { getAccountKind } from '../actions/spend-permissions/getAccountKind.ts'
import { describeFailure } from '../describeFailure.ts'

/** `unanswered` means that the chain said nothing in time: the caller must not read it as a "no". */
export type SmartAccountVerdict =
  | { status: 'valid' }
  | { status: 'invalid' }
  | { status: 'unanswered'; cause: unknown }

type SmartAccountSignature = { address: Address; signature: Hex; timeoutMs?: number }

const DEFAULT_TIMEOUT_MS = 2000

// A hostile factory named inside an ERC-6492 signature runs in this call: the cap bounds its work
// and leaves ample room to deploy a wallet and check a passkey in Solidity.
const VALIDATION_GAS = 3_000_000n

/** Verifies an EIP-191 message of a deployed (ERC-1271) or still undeployed (ERC-6492) smart account. */
export const verifySmartAccountMessage = (
  client: Client,
  { message, ...rest }: SmartAccountSignature & { message: string },
): Promise<SmartAccountVerdict> => verifySmartAccountHash(client, { hash: hashMessage(message), ...rest })

/** The EIP-712 twin of `verifySmartAccountMessage`. */
export const verifySmartAccountTypedData = (
  client: Client,
  { typedData, ...rest }: SmartAccountSignature & { typedData: TypedDataDefinition },
): Promise<SmartAccountVerdict> => verifySmartAccountHash(client, { hash: hashTypedData(typedData), ...rest })

// viem's own `verifyHash` returns `false` for a dead RPC as well, so the validator is called directly.
const verifySmartAccountHash = async (
  client: Client,
  { address, hash, signature, timeoutMs = DEFAULT_TIMEOUT_MS }: SmartAccountSignature & { hash: Hex },
): Promise<SmartAccountVerdict> => {
  if (!isAddress(address, { strict: false }) || !isSignatureShaped(signature)) return { status: 'invalid' }
  if (isAddressEqual(address, zeroAddress)) return { status: 'invalid' }
  try {
    if (!(await withinTime(mayAsk(client, { address, signature }), timeoutMs))) return { status: 'invalid' }
    const data = encodeDeployData({
      abi: erc6492SignatureValidatorAbi,
      args: [address, hash, signature],
      bytecode: erc6492SignatureValidatorByteCode,
    })
    const call = client.request(
      { method: 'eth_call', params: [{ data, gas: `0x${VALIDATION_GAS.toString(16)}` }, 'latest'] },
      { retryCount: 0 },
    )
    const response = await withinTime(call, timeoutMs)
    return { status: BigInt(response) === 1n ? 'valid' : 'invalid' }
  } catch (error) {
    return describeFailure(error).status === 'refused'
      ? { status: 'invalid' }
      : { status: 'unanswered', cause: error }
  }
}

// For an account without code the validator recovers a key itself, and takes a signature that no key
// made for one of the zero address. Keys are checked elsewhere; contracts are all that it is asked about.
const mayAsk = async (
  client: Client,
  { address, signature }: { address: Address; signature: Hex },
): Promise<boolean> => (await getAccountKind(client, { account: address, signature })) !== 'keyOnly'

// Bytes are paid for in gas: a longer text could only fail for want of it, and that would look like the chain's fault.
const MAX_SIGNATURE_BYTES = 16_384

const isSignatureShaped = (signature: string): boolean =>
  isHex(signature) && signature.length % 2 === 0 && signature.length <= 2 + 2 * MAX_SIGNATURE_BYTES

const withinTime = async <T>(work: Promise<T>, timeoutMs: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`the chain did not respond within ${timeoutMs} ms`)), timeoutMs)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
