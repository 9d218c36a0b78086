import { defineConfig } from 'vitest/config'
import { areas, testOf } from './areas.ts'

/** The tests of the rules alone: no database is started for them. Its paths are those of the copy that Stryker makes. */
export default defineConfig({
  test: {
    include: areas.flatMap(({ files }) => files.map(testOf)),
    setupFiles: ['scripts/testing/test-seed.ts'],
    env: { TZ: 'UTC' },
    isolate: false,
  },
})
