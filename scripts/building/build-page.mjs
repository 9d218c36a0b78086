// Builds the web page into packages/web/dist, for images that are built once and started often.
import { buildWeb } from './build-web.mjs'

if (!buildWeb({ nodePath: process.execPath, env: process.env, say: console.error })) process.exit(1)
