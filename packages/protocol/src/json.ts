/** A value that JSON can hold. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [field: string]: Json }

/** The fields of an object from outside: each is unknown until someone looks. */
export type Fields = Readonly<Record<string, unknown>>

/** A JSON value; undefined when the text is none. Whoever asks says what that means. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // No JSON value is undefined, so this is the answer.
    return undefined
  }
}

/** Whether a value is an object with fields, and not null or a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
