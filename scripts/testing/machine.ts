// Programs that npm does not bring: a browser and Redis for the tests that need them. CI must have both.
import { existsSync } from 'node:fs'

const places = {
  Chromium: [
    // Chromium's own headless build: the same pages for a third less of the processor's time.
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/opt/homebrew/bin/chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  'redis-server': ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'],
}
export type Program = keyof typeof places

export const programs = Object.keys(places) as Program[]
export const placesOf = (name: Program): string[] => places[name]
export const findProgram = (name: Program): string | undefined => places[name].find(existsSync)
