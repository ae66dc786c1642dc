export * from './api.ts'
export type { AutoStart, ClientOptions, DaemonAddress } from './options.ts'
export { StringClient } from './string-client.ts'
