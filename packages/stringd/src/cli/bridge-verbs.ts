// A file of its own in the build: what runs no agent never reads the bridge and its libraries.
export { runBridgeVerb } from './bridge/verb.ts'
export { runChatVerb } from './chat/verb.ts'
