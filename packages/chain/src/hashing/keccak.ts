import type { Hex } from 'viem'
import { buildKeccakModule, INPUT, OUTPUT, RATE } from './keccakModule.ts'

interface Keccak {
  memory: WebAssembly.Memory
  hash(pointer: number, blocks: number): void
}

const { exports } = new WebAssembly.Instance(new WebAssembly.Module(buildKeccakModule()))
const { memory, hash } = exports as unknown as Keccak
const PAGE = 65_536

/** The same hash as viem's `keccak256`, in a tenth of the time. */
export const keccak = (bytes: Uint8Array): Buffer => {
  const blocks = Math.floor(bytes.length / RATE) + 1
  const end = INPUT + blocks * RATE
  if (end > memory.buffer.byteLength) memory.grow(Math.ceil((end - memory.buffer.byteLength) / PAGE))
  const input = new Uint8Array(memory.buffer, INPUT, blocks * RATE)
  input.set(bytes)
  input.fill(0, bytes.length)
  input[bytes.length] = 0x01
  input[input.length - 1] = Number(input.at(-1)) | 0x80
  hash(INPUT, blocks)
  return Buffer.from(new Uint8Array(memory.buffer, OUTPUT, 32))
}

/** Of bytes written as hex, which Node decodes faster than viem. */
export const keccakOfHex = (hex: Hex): Hex => `0x${keccak(Buffer.from(hex.slice(2), 'hex')).toString('hex')}`
