export { createDevnet, type Devnet } from './createDevnet.ts'
export type { Faucet, FaucetGrant } from './faucet.ts'
export type { DevnetProvider, RpcRequest } from './provider.ts'
export {
  type DevnetRoles,
  deriveRoles,
  type RoleName,
  roleKeyOf,
  testKeyOf,
  testWalletOf,
} from './roles.ts'
export { listTestWallets, type TestWallet } from './testWallets.ts'
