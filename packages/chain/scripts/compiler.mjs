// The compiler of the npm package, which takes a quarter less time here. Each of its calls that may throw goes through
// JavaScript and looks its function up in the module's table, many million times; V8 does not keep what it looked up, so
// this does. The table is filled once, when the module is made.
import { createRequire } from 'node:module'

const { get } = WebAssembly.Table.prototype

WebAssembly.Table.prototype.get = function getKept(index) {
  this.kept ??= []
  this.kept[index] ??= get.call(this, index)
  return this.kept[index]
}

export default createRequire(import.meta.url)('solc/soljson.js')
