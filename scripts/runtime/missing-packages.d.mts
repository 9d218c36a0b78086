export interface Machine {
  platform: string
  arch: string
  libc: string
}
export const thisMachine: Machine
export function missingPackages(root: string, machine?: Machine): string[]
