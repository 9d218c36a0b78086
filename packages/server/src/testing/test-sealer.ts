import { createSealer } from '../platform/sealing/sealer.ts'

export const testSealer = createSealer({ current: { id: 'test', key: Buffer.alloc(32, 7) } })
