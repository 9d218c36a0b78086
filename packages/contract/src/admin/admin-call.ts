/** What all calls of the console have in common. */
export const adminCall = { tag: 'Admin', access: 'admin', rate: 'api' } as const
