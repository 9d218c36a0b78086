// Ends what a program has started when that program is gone, however it went: one that is killed can end nothing itself.
// Each line of the input is +, or - where it has ended, and the number of a process; the input ends with the program.
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
    // It has ended meanwhile.
  }
}
