import { type Declaration, readDeclaration } from '../../action/declare/declaration.ts'
import { type Effects, effectsOf } from '../../action/declare/effects.ts'
import type { Misread } from '../../action/declare/field.ts'
import { type ResponseTemplate, readResponse } from '../../action/run/response-template.ts'
import type { DocumentLine } from '../../document/document.ts'
import type { PageAction } from '../../document/page.ts'
import type { Base } from '../../library/address.ts'

/** What a list says of an action: how it is called and what a call does, or why it is refused. */
export function describeAction(
  action: Pick<PageAction<Base>, 'source' | 'response' | 'file'>,
  called?: string,
): { readonly ok: true; readonly declaration: Declaration; readonly effects: Effects } | Misread {
  const { source } = action
  const declaration = source.refused ?? readDeclaration(source, called)
  if (!declaration.ok) return { ...declaration, ...includedFile(action) }
  return { ok: true, declaration, effects: effectsOf(declaration, templateIn(action)) }
}

/** In which document it stands, where that is only included. */
export function includedFile({ file }: Pick<PageAction<Base>, 'file'>): Pick<DocumentLine, 'file'> {
  return file === undefined ? {} : { file }
}

/** What becomes of the answer; null where that is not said, or not in a way that could be used. */
export function templateIn({ response }: Pick<PageAction<Base>, 'response'>): ResponseTemplate | null {
  const template = response === null ? null : readResponse(response)
  return template?.ok === true ? template : null
}
