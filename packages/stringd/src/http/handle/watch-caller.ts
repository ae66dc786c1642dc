import type { WatchCaller } from '../../runtime/exec-call.ts'
import type { Exchange } from '../route.ts'

/** How to learn that whoever sent a request went away. */
export function callerOf({ request }: Exchange): WatchCaller {
  // Of several requests on one connection, only the first would hear it from its response.
  const { socket } = request
  return (gone) => {
    socket.once('close', gone)
    return () => socket.off('close', gone)
  }
}
