// Builds the web page into packages/web/dist, for images that are built once and started often.
import { buildWeb } from './build-web.mjs'

const options = { nodePath: process.execPath, env: process.env, say: console.error }
if (!(await buildWeb(options))) process.exit(1)
