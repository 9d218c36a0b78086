/** The chain of every sandbox. Signatures for it are good there alone, and what is there is worth nothing. */
export const DEVNET_CHAIN_ID = 31_337

/** The token that prices are in, by chain. A sandbox has one of its own. */
export const usdcAddresses = {
  8453: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  84532: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
} as const
