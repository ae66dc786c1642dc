/** An address of a store may hold a password, which every user of the machine could read in the list of processes. */
export function hideArguments(args: readonly string[]): void {
  if (args.some((arg) => /^[a-z]+:\/\/[^/]*:/.test(arg))) process.title = 'string'
}
