import fc from 'fast-check'

/**
 * Set up before every test file: properties run on one known seed, so a run of the tests on the same code ends the same
 * way. `TEST_SEED=7 npm test` explores another one; `test:fuzz` and `test:lies` explore by the thousand.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_115) })
