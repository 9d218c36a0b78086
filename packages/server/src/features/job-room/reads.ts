import { isSharedByMessage } from './message-store.ts'

/** It needs the tables alone, so features that come earlier may be handed it. */
export const roomReads = { isSharedByMessage }
