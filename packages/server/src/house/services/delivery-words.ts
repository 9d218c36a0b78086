/** What a service promises about its time, in words. */
export const deliveredWithin = (hours: number): string =>
  `delivered within ${hours} ${hours === 1 ? 'hour' : 'hours'}`
