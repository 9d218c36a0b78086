// Ends what a program has started once that program is gone, because a killed program can end nothing itself. Each line of
// the input has the id of a process after a + when it starts, after a - when it has ended. The input ends with the program.
import { createInterface } from 'node:readline'

const running = new Set()
for await (const line of createInterface(process.stdin)) {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) running.add(pid)
  else running.delete(pid)
}
for (const pid of running) {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It has ended in the meantime.
  }
}
