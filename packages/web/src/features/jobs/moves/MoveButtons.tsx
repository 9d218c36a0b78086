import type { JobDetail } from '@agent-marketplace/contract'
import { Ellipsis } from 'lucide-react'
import { Button } from '../../../components/buttons/Button.tsx'
import { Menu, MenuItem } from '../../../components/popups/Menu.tsx'
import type { Side } from '../sides.ts'
import { moveLabel } from './move-labels.ts'
import type { Move, PlacedMoves } from './place-moves.ts'

interface MoveButtonsProps {
  job: JobDetail
  sides: readonly Side[]
  moves: PlacedMoves
  onChoose: (move: Move) => void
}

/** One primary action; what stands beside it; the rest in a quiet menu. */
export function MoveButtons({ job, sides, moves: { main, beside, menu }, onChoose }: MoveButtonsProps) {
  if (!main && beside.length === 0 && menu.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      {main && (
        <Button look="primary" className="whitespace-normal" onClick={() => onChoose(main)}>
          {moveLabel(main, job, sides)}
        </Button>
      )}
      {beside.map((move) => (
        <Button key={move} onClick={() => onChoose(move)}>
          {moveLabel(move, job, sides)}
        </Button>
      ))}
      {menu.length > 0 && (
        <Menu
          trigger={
            <Button look="quiet" className="text-14 text-ink-muted">
              <Ellipsis aria-hidden className="size-4" /> More actions
            </Button>
          }
        >
          {menu.map((move) => (
            <MenuItem key={move} onChoose={() => onChoose(move)}>
              {moveLabel(move, job, sides)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </div>
  )
}
