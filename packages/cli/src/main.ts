#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { exitCodes } from './exit-codes.ts'
import { run } from './run.ts'
import type { Terminal } from './terminal.ts'

const { stdin, stdout, stderr } = process
const stop = new AbortController()

process.on('SIGINT', interrupt)
process.on('SIGTERM', interrupt)
// A reader that has seen enough, such as head, closes the pipe: that is no failure. What has begun, such as a purchase, ends
// in order.
let isReaderGone = false
stdout.on('error', () => {
  isReaderGone = true
  stop.abort(new Error('nobody reads the output'))
})

/** The first one lets the command end in order; the second one does not wait for that. */
function interrupt(): void {
  if (stop.signal.aborted) process.exit(exitCodes.interrupted)
  stop.abort(new Error('stopped'))
}

const terminal: Terminal = {
  environment: process.env,
  directory: process.cwd(),
  homeDirectory: homedir(),
  isInteractive: stdin.isTTY === true && stderr.isTTY === true,
  isScreen: stdout.isTTY === true,
  print: (line) => stdout.write(`${line}\n`),
  note: (line) => stderr.write(`${line}\n`),
  ask: (question) => ask(question, stderr),
  async askSecret(question) {
    stderr.write(question)
    const secret = await ask('', new Writable({ write: (_chunk, _encoding, done) => done() }))
    stderr.write('\n')
    return secret
  },
  readInput: () => text(stdin),
  signal: stop.signal,
}

function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = createInterface({ input: stdin, output, terminal: true })
    reader.on('SIGINT', interrupt)
    stop.signal.addEventListener('abort', () => reader.close(), { once: true })
    reader.on('close', () => reject(new Error('Nothing was entered.')))
    reader.question(question, (entered) => {
      resolve(entered)
      reader.close()
    })
  })
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const code = await run(process.argv.slice(2), terminal, version)
process.exitCode = isReaderGone ? exitCodes.done : code
