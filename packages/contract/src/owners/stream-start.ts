/** The Last-Event-ID of an owner who has no events yet: whatever comes is news. */
export const STREAM_START = '0'
