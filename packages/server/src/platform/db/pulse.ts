import { Socket } from 'node:net'
import pg from 'pg'
import type { BaseLogger } from 'pino'
import { type Connection, keepAlive } from './connection.ts'

/** The server rests for so many turns after a response before it is asked again; it is silent after so many without one. */
const TURN_MS = 100
const RESTING_TURNS = 2
const SILENT_TURNS = 20

export interface Pulse {
  /** To open everything with: cut when the server falls silent, and failing at once for as long as it is. */
  readonly connection: Connection
  isSilent(): boolean
  /** How often it fell silent. */
  silences(): number
  close(): Promise<void>
}

interface PulseOptions {
  connection: Connection
  log: BaseLogger
  /** Calls back for every turn, and returns what ends that. */
  everyTurn?: (turn: () => void) => () => void
}

/** The connection on which the server is asked. */
interface Line {
  readonly socket: Socket
  readonly client: pg.Client
  readonly isReady: Promise<unknown>
}

/** What had arrived on each open connection when the server was asked, and the turns since then. */
interface Question {
  readonly arrived: ReadonlyMap<Socket, number>
  turns: number
}

/**
 * Asks the server again and again whether it is there, on a connection of its own. A statement that is slow looks the same
 * as one on a server that stands still or cannot be reached any more; only the latter do not respond here either. Then
 * every connection on which nothing has arrived since is cut, and its statement fails as if the server had died: the
 * outcome of a commit is unknown. A refusal is a response: then pools fail quickly by themselves.
 *
 * Silence is counted in turns of the event loop, not by the clock. Between two turns everything that has arrived is read,
 * so a process that was busy or stopped for seconds counts one turn.
 */
export function startPulse({ connection, log, everyTurn = tenTimesASecond }: PulseOptions): Pulse {
  const sockets = new Set<Socket>()
  let line: Line | undefined
  let question: Question | undefined
  let restingTurns = 0
  let isSilent = false
  let silences = 0

  const ask = async (asked: Question): Promise<void> => {
    line ??= openLine(connection)
    const { isReady, client } = line
    const failure = await isReady
      .then(() => client.query('select 1'))
      .then(
        () => undefined,
        (error: unknown) => error,
      )
    if (question !== asked) return
    if (failure !== undefined) dropLine()
    // Asked again at the next turn.
    if (isUnheard(failure)) return
    question = undefined
    restingTurns = RESTING_TURNS
    if (isSilent) log.warn('the database responds again')
    isSilent = false
  }

  const dropLine = (): void => {
    line?.socket.destroy()
    line = undefined
  }

  const fallSilent = ({ arrived }: Question): void => {
    if (!isSilent) {
      silences += 1
      log.warn('the database does not respond: its connections are cut')
    }
    isSilent = true
    question = undefined
    dropLine()
    for (const socket of sockets)
      if (socket.bytesRead === (arrived.get(socket) ?? 0)) socket.destroy(silence())
  }

  const stopTurns = everyTurn(() => {
    if (question) {
      question.turns += 1
      if (question.turns >= SILENT_TURNS) fallSilent(question)
      else if (line) return
    } else if (restingTurns > 0) {
      restingTurns -= 1
      return
    }
    question ??= {
      arrived: new Map([...sockets].map((socket) => [socket, socket.bytesRead])),
      turns: 0,
    }
    // It never rejects.
    void ask(question)
  })

  const openSocket = (): Socket => {
    const socket = new Socket()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Once its owner has begun to connect it, and listens.
    if (isSilent) process.nextTick(() => socket.destroy(silence()))
    return socket
  }

  return {
    connection: { ...connection, stream: openSocket },
    isSilent: () => isSilent,
    silences: () => silences,
    async close() {
      stopTurns()
      question = undefined
      // A server that stands still says no goodbye.
      dropLine()
    },
  }
}

function tenTimesASecond(turn: () => void): () => void {
  const timer = setInterval(turn, TURN_MS).unref()
  return () => clearInterval(timer)
}

function openLine(connection: Connection): Line {
  const socket = new Socket()
  const client = new pg.Client({ ...connection, ...keepAlive, stream: () => socket })
  // One that breaks between two questions fails the next.
  client.on('error', () => undefined)
  return { socket, client, isReady: client.connect() }
}

/** The queue of a local server that accepts nobody is full; over a network such a connection would simply wait. */
const isUnheard = (failure: unknown): boolean => (failure as { code?: string } | undefined)?.code === 'EAGAIN'

const silence = (): Error =>
  Object.assign(new Error('The database has not responded for two seconds'), { code: 'ETIMEDOUT' })
