/** Scenarios of the conformance suite that a server with one tool and no sessions must pass. */
export const APPLYING = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'] as const

const OWN_TOOL = 'calls a tool of the suite by name; ours is called string'
const NO_SESSIONS = 'works within a session; ours is stateless and every answer is one JSON value'
const NO_RESOURCES = 'there are no resources: documents are opened by command'
const NO_PROMPTS = 'there are no prompts: /help teaches'

/** The others, each with the reason why it does not apply. */
export const NOT_APPLYING: Readonly<Record<string, string>> = {
  'logging-set-level': 'there is no logging capability: the daemon has its own log',
  'completion-complete': 'completion is for prompts and resource templates, of which there are none',
  'tools-call-simple-text': OWN_TOOL,
  'tools-call-image': OWN_TOOL,
  'tools-call-audio': OWN_TOOL,
  'tools-call-embedded-resource': OWN_TOOL,
  'tools-call-mixed-content': OWN_TOOL,
  'tools-call-with-logging': OWN_TOOL,
  'tools-call-error': OWN_TOOL,
  'tools-call-with-progress': OWN_TOOL,
  'tools-call-sampling': OWN_TOOL,
  'tools-call-elicitation': OWN_TOOL,
  'json-schema-2020-12': OWN_TOOL,
  'elicitation-sep1034-defaults': OWN_TOOL,
  'elicitation-sep1330-enums': OWN_TOOL,
  'server-sse-polling': NO_SESSIONS,
  'server-sse-multiple-streams': NO_SESSIONS,
  'resources-list': NO_RESOURCES,
  'resources-read-text': NO_RESOURCES,
  'resources-read-binary': NO_RESOURCES,
  'resources-templates-read': NO_RESOURCES,
  'resources-subscribe': NO_RESOURCES,
  'resources-unsubscribe': NO_RESOURCES,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
}
