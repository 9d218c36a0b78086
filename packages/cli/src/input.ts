import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandError } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/** The text of a file, or of standard input where the path is `-`. */
export async function readText(terminal: Terminal, path: string): Promise<string> {
  return path === '-' ? terminal.readInput() : readBytes(terminal, path).toString('utf8')
}

export function readBytes({ directory }: Terminal, path: string): Buffer<ArrayBuffer> {
  try {
    return readFileSync(resolve(directory, path))
  } catch (cause) {
    throw new CommandError('usage', `${path} cannot be read: ${(cause as Error).message}`, { cause })
  }
}

export function readJson(text: string, from: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new CommandError('usage', `${from} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

/** A whole number from one on. */
export function readCount(written: string | undefined, option: string, otherwise: number): number {
  if (written === undefined) return otherwise
  if (!/^[1-9][0-9]{0,5}$/.test(written))
    throw new CommandError('usage', `${option} takes a whole number from 1 on, not “${written}”.`)
  return Number(written)
}

/** The first of a list that may go on for long. */
export async function take<Item>(items: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const taken: Item[] = []
  for await (const item of items) {
    taken.push(item)
    if (taken.length >= count) break
  }
  return taken
}
