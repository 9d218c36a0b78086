import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { cx } from '../../design/cx.ts'
import { type ButtonLook, type ButtonSize, buttonLook } from './button-look.ts'

interface AnchorProps extends ComponentProps<'a'> {
  look?: ButtonLook
  size?: ButtonSize
}

function ButtonAnchor({ look = 'secondary', size = 'regular', className, ...rest }: AnchorProps) {
  return <a {...rest} className={cx(buttonLook(look, size), className)} />
}

/** A page of this site behind something that looks like a button. Takes `to`, `params`, `search` like Link. */
export const ButtonLink = createLink(ButtonAnchor)
