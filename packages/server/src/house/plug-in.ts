import type { MoneyEngine } from '../money/engine.ts'
import type { Feature } from './feature.ts'

/** Connects what a feature does in the money engine. Before the engine starts. */
export function plugIntoMoney(
  { intents, onEvent }: Pick<MoneyEngine, 'intents' | 'onEvent'>,
  { intentKinds = [], eventHandlers = [] }: Pick<Feature<unknown>, 'intentKinds' | 'eventHandlers'>,
): void {
  for (const kind of intentKinds) intents.register(kind)
  for (const { name, handle, undo } of eventHandlers) onEvent(name, handle, undo)
}
