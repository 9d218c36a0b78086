import { type Hex, keccak256, stringToBytes } from 'viem'

/** How ERC-8004 commits to a document: the keccak256 of its bytes in UTF-8. */
export const hashDocument = (document: string): Hex => keccak256(stringToBytes(document))
