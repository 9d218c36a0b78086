import { ChainError } from '../errors.ts'
import type { DevnetProvider } from './provider.ts'

const MAX_BODY_BYTES = 1_000_000
const MAX_BATCH = 100
// What all the calls of one body may spend together, and one of them at most: without it a batch keeps the machine for minutes.
const BODY_GAS = 16_000_000
const CALL_GAS = 8_000_000

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_FOUND = -32601
const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603

type RpcError = { code: number; message: string; data?: unknown }
type RpcResponse = { jsonrpc: '2.0'; id: string | number | null } & (
  | { result: unknown }
  | { error: RpcError }
)

/** Handles one JSON-RPC 2.0 body, single or batch, and returns the response body; undefined for notifications only. */
export const handleRpc = async (provider: DevnetProvider, body: string): Promise<string | undefined> => {
  if (Buffer.byteLength(body) > MAX_BODY_BYTES)
    return refuse(INVALID_REQUEST, `a body holds at most ${MAX_BODY_BYTES} bytes`)
  const parsed = parseJson(body)
  if (parsed === undefined) return refuse(PARSE_ERROR, 'the body is not JSON')
  if (!Array.isArray(parsed)) return stringify(await response(provider, withGasCap(parsed, CALL_GAS)))
  if (parsed.length === 0) return refuse(INVALID_REQUEST, 'the batch is empty')
  if (parsed.length > MAX_BATCH) return refuse(INVALID_REQUEST, `a batch holds at most ${MAX_BATCH} requests`)
  const gas = Math.min(CALL_GAS, Math.floor(BODY_GAS / parsed.filter(isCall).length))
  const responses = (
    await Promise.all(parsed.map((request) => response(provider, withGasCap(request, gas))))
  ).filter((item) => item !== undefined)
  return responses.length === 0 ? undefined : JSON.stringify(responses)
}

const response = async (provider: DevnetProvider, request: unknown): Promise<RpcResponse | undefined> => {
  if (!isRequest(request))
    return {
      jsonrpc: '2.0',
      id: null,
      error: { code: INVALID_REQUEST, message: 'not a JSON-RPC 2.0 request' },
    }
  const { id, method, params } = request
  const outcome = await provider.request({ method, params }).then(
    (result) => ({ result: result ?? null }),
    (error: unknown) => ({ error: describe(error) }),
  )
  return id === undefined ? undefined : { jsonrpc: '2.0', id, ...outcome }
}

/** What runs code without being mined, and so costs its sender nothing. */
const isCall = (request: unknown): request is { params: [Record<string, unknown>, ...unknown[]] } => {
  if (!isRequest(request)) return false
  const [call] = request.params ?? []
  const runsCode = request.method === 'eth_call' || request.method === 'eth_estimateGas'
  return runsCode && typeof call === 'object' && call !== null
}

const withGasCap = (request: unknown, cap: number): unknown => {
  if (!isCall(request)) return request
  const [call, ...rest] = request.params
  const asked = typeof call.gas === 'string' ? Number(call.gas) : Number.NaN
  const gas = asked <= cap ? call.gas : `0x${cap.toString(16)}`
  return { ...request, params: [{ ...call, gas }, ...rest] }
}

const isRequest = (
  value: unknown,
): value is { jsonrpc: '2.0'; id?: string | number | null; method: string; params?: unknown[] } => {
  if (typeof value !== 'object' || value === null) return false
  const { jsonrpc, id, method, params } = value as Record<string, unknown>
  const idIsSound = id === undefined || id === null || typeof id === 'string' || typeof id === 'number'
  return (
    jsonrpc === '2.0' &&
    idIsSound &&
    typeof method === 'string' &&
    (params === undefined || Array.isArray(params))
  )
}

const describe = (error: unknown): RpcError => {
  if (error instanceof ChainError) return { code: rpcCodeOf(error), message: error.message }
  if (!(error instanceof Error)) return { code: INTERNAL_ERROR, message: 'internal error' }
  const code = 'code' in error && typeof error.code === 'number' ? error.code : INTERNAL_ERROR
  const data = revertDataOf(error)
  return data === undefined ? { code, message: error.message } : { code, message: error.message, data }
}

const rpcCodeOf = ({ code }: ChainError): number => {
  if (code === 'METHOD_NOT_ALLOWED') return METHOD_NOT_FOUND
  return code === 'INVALID_ARGUMENT' ? INVALID_PARAMS : INTERNAL_ERROR
}

// The machine nests the returned bytes in an object of its own; wallets and libraries look for them directly.
const revertDataOf = (error: Error): unknown => {
  const data = 'data' in error ? error.data : undefined
  if (typeof data === 'object' && data !== null && 'data' in data) return data.data
  return typeof data === 'string' ? data : undefined
}

const parseJson = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

const stringify = (value: RpcResponse | undefined): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value)

const refuse = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
