/** File systems that the kernel makes up, by the number it gives them: no program can keep a file there. */
const MADE_UP: ReadonlyMap<number, string> = new Map([
  [0x9fa0, 'proc'],
  [0x62656572, 'sysfs'],
  [0x27e0eb, 'cgroup'],
  [0x63677270, 'cgroup'],
  [0x1cd1, 'devpts'],
  [0x64626720, 'debugfs'],
  [0x74726163, 'tracefs'],
  [0x73636673, 'securityfs'],
  [0x62656570, 'configfs'],
  [0xcafe4a11, 'bpf'],
])

/** The name of a file system that keeps no files, whatever its folders say of who may write; null for any other. */
export function keepsNoFiles({ type }: { readonly type: number }): string | null {
  return MADE_UP.get(type) ?? null
}
