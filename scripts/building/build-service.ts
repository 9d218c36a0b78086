// Builds the service into the directory that is named, for `npm start`.
import { buildPrograms } from './build-programs.ts'

const directory = process.argv[2]
if (!directory) throw new Error('Name a directory below node_modules.')
await buildPrograms(directory, ['server/src/main.ts'])
