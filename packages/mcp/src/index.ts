export { createMarketplaceServer } from './server.ts'
export type { Market, ToolScope } from './tool.ts'
export { scopeOf } from './tools.ts'
