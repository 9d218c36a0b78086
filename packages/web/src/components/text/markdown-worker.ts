import { markdownTree } from './markdown-tree.ts'

addEventListener('message', ({ data }: MessageEvent<string>) => postMessage(markdownTree(data)))
postMessage('ready')
