import { type Declaration, readDeclaration } from '../../action/declaration.ts'
import { type Effects, effectsOf } from '../../action/effects.ts'
import type { Misread } from '../../action/field.ts'
import { type ResponseTemplate, readResponse } from '../../action/response-template.ts'
import type { PageAction } from '../../document/page.ts'
import type { Base } from '../../library/address.ts'

/** What a list says of an action: how it is called and what a call does, or why it is refused. */
export function describeAction(
  action: PageAction<Base>,
  called?: string,
): { readonly declaration: Declaration; readonly effects: Effects } | Misread {
  const { source } = action
  const declaration = source.refused ?? readDeclaration(source, called)
  return 'problem' in declaration ? declaration : { declaration, effects: effectsOf(declaration, templateIn(action)) }
}

/** What becomes of the answer; null where that is not said, or not in a way that could be used. */
export function templateIn({ response }: PageAction<Base>): ResponseTemplate | null {
  const template = response === null ? null : readResponse(response)
  return template === null || 'problem' in template ? null : template
}
