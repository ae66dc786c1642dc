/** Put in by the build from package.json. */
declare const STRING_VERSION: string

export const VERSION = typeof STRING_VERSION === 'string' ? STRING_VERSION : '0.0.0-source'
