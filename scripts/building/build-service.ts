// Builds the service into the directory that is named, for `npm start`, the container image and systemd.
import { resolve } from 'node:path'
import { buildPrograms } from './build-programs.ts'

const directory = process.argv[2]
if (!directory) throw new Error('Name a directory below node_modules.')
// The last one starts nothing: to import it compiles the service.
await buildPrograms(resolve(directory), [
  'server/src/main.ts',
  'server/src/prepare.ts',
  'server/src/service.ts',
])
