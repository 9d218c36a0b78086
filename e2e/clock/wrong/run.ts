import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { endOnSignals } from '../../../scripts/testing/end-on-signals.ts'
import { installPackages } from '../../failover/packages.ts'
import { temporaryDirectory } from '../../service/service-process.ts'
import { createFakeClock } from './clocks.ts'

/**
 * `npm run test:wrong-clocks [-- 'a day ahead']`: twelve ways in which the clocks of the service and its database can be wrong, while the
 * chain's is right. Nothing may be paid before it is due, or twice. The walk itself, with what stands in for the outside,
 * goes by the right time, which is ahead of this machine's; so it runs in a process that has a clock of its own, too.
 */
installPackages('test:wrong-clocks', {
  '/usr/bin/faketime': ['faketime'],
  '/usr/bin/setpriv': ['util-linux'],
})
const directory = temporaryDirectory()
const { environment } = createFakeClock(directory.path, 'right')
const walk = spawn(process.execPath, [join(import.meta.dirname, 'walk.ts'), ...process.argv.slice(2)], {
  env: { ...process.env, ...environment },
  stdio: 'inherit',
})
const ended = once(walk, 'exit')
endOnSignals(async () => {
  walk.kill('SIGTERM')
  await ended
  directory.remove()
})
const [code] = await ended
directory.remove()
process.exit(code ?? 1)
