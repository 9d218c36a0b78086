import { findJobIdByKey } from './lifecycle/store.ts'
import { isSharedByJob } from './reading/file-access.ts'

/** They need the tables alone, so features that come earlier may be handed them. */
export const jobReads = { jobIdOf: findJobIdByKey, isSharedByJob }
