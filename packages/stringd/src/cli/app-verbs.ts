// A file of its own in the build: only what is about apps reads documents and actions.
export { runAppVerb } from './app/verb.ts'
