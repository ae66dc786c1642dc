import { closeSync, constants, fstatSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs'

const INPUT = '/proc/self/fd/0'

/**
 * Whether something can be read on a standard input that is a file or a pipe; nothing is waited for. A pipe that whoever started
 * us reads as well, as a loop of a shell does, is left alone: its bytes are not ours to take.
 */
export function hasUnreadInput(): boolean {
  try {
    const kind = fstatSync(0)
    if (kind.isFile()) return kind.size > readSoFar()
    return kind.isFIFO() && (kind.size > 0 || (!isSharedPipe() && holdsByte()))
  } catch {
    // It is closed, or this system tells nothing about it.
    return false
  }
}

function readSoFar(): number {
  try {
    return Number(/^pos:\s+(\d+)/m.exec(readFileSync('/proc/self/fdinfo/0', 'utf8'))?.[1] ?? 0)
  } catch {
    // Only Linux tells; elsewhere it was most likely not read.
    return 0
  }
}

function isSharedPipe(): boolean {
  return readlinkSync(`/proc/${process.ppid}/fd/0`) === readlinkSync(INPUT)
}

/** Opened anew, so that only we do not wait. */
function holdsByte(): boolean {
  const pipe = openSync(INPUT, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    return readSync(pipe, Buffer.alloc(1)) > 0
  } finally {
    closeSync(pipe)
  }
}
