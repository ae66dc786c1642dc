// A file of its own in the build: only what is about stores reads the engines.
export { runStoreVerb } from './store/verb.ts'
