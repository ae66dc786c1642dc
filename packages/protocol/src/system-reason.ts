/** What the codes of an operating system mean to whoever asked for a file. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'no permission'],
  ['EPERM', 'no permission'],
  ['EROFS', 'its disk can only be read'],
  ['ENOSPC', 'no space is left on the disk'],
  ['EDQUOT', 'your share of the disk is used up'],
  ['EFBIG', 'it would be too large'],
  ['ENOENT', 'it, or a folder above it, does not exist'],
  ['ENOTDIR', 'a part of the path is no folder'],
  ['EISDIR', 'it is a folder'],
  ['EEXIST', 'it exists already'],
  ['ENOTEMPTY', 'the folder is not empty'],
  ['ELOOP', 'its links lead in a circle'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['EMFILE', 'too many files are open'],
  ['ENFILE', 'too many files are open'],
  ['ENOMEM', 'no memory is left'],
  ['EBUSY', 'something else uses it'],
  ['ETXTBSY', 'it runs as a program'],
  ['EIO', 'the disk failed'],
])

/** Why the system refused a file, in words, with its code for whoever looks that up. */
export function systemReason(code: string): string {
  const words = REASONS.get(code)
  return words === undefined ? code : `${words} (${code})`
}
