import type { Session } from '../../session/session.ts'

/** Runs something that may open a document, and goes back to the one that was open. */
export async function stay<T>(session: Session, work: () => Promise<T>): Promise<T> {
  const { document, mode } = session
  const history = [...session.history]
  try {
    return await work()
  } finally {
    session.document = document
    session.mode = mode
    session.history.splice(0, session.history.length, ...history)
  }
}
