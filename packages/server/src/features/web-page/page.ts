import type { Document } from '../../platform/http/document.ts'
import type { HeadWords } from './head.ts'

/** The built page, as it is and with words of its own in its head. */
export interface Page {
  plain: Omit<Document, 'path'>
  withHead: (words: HeadWords) => Omit<Document, 'path'>
}
