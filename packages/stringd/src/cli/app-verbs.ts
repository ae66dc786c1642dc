// A file of its own in the build: only what is for authors of apps reads documents and actions.
export { runAuthorVerb } from './app/author-verb.ts'
