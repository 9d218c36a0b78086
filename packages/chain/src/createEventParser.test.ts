import {
  type Address,
  encodeAbiParameters,
  type Hex,
  type Log,
  numberToHex,
  pad,
  parseAbi,
  toEventSelector,
  zeroHash,
} from 'viem'
import { expect, test } from 'vitest'
import { createEventParser } from './createEventParser.ts'

// Two events of one signature that differ only in what is indexed, as the transfers of coins and of single tokens do.
const abi = parseAbi([
  'function unrelated()',
  'event Moved(address indexed from, uint256 value)',
  'event Moved(address indexed from, uint256 indexed value)',
  'event Named(string name)',
])
const parse = createEventParser(abi)
const from: Address = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const place = {
  address: from,
  blockHash: zeroHash,
  blockNumber: 1n,
  removed: false,
  transactionHash: zeroHash,
}
const logOf = (logIndex: number, topics: Hex[], data: Hex): Log => ({
  ...place,
  logIndex,
  transactionIndex: 0,
  topics: topics as Log['topics'],
  data,
})
const moved = toEventSelector('Moved(address,uint256)')
const named = toEventSelector('Named(string)')
const seven = numberToHex(7, { size: 32 })

test('finds the events of the interface in their order, whichever way their values travel', () => {
  const logs = [
    logOf(0, [moved, pad(from)], seven),
    logOf(1, [zeroHash], '0x'),
    logOf(2, [moved, pad(from), seven], '0x'),
    logOf(3, [named], encodeAbiParameters([{ type: 'string' }], ['hello'])),
  ]
  const found = parse(logs).map(({ eventName, args, logIndex }) => ({ eventName, args, logIndex }))
  expect(found).toEqual([
    { eventName: 'Moved', args: { from, value: 7n }, logIndex: 0 },
    { eventName: 'Moved', args: { from, value: 7n }, logIndex: 2 },
    { eventName: 'Named', args: { name: 'hello' }, logIndex: 3 },
  ])
})

test('passes over logs that only look like it, and logs without a topic', () => {
  expect(parse([logOf(0, [moved], '0x'), logOf(1, [], '0x')])).toEqual([])
  expect(parse([])).toEqual([])
})
