import type { NotificationType } from '@agent-marketplace/contract'

export interface Notice {
  ownerId: string
  type: NotificationType
  title: string
  message: string
  link?: string
}
