import type { VNode } from 'preact'
import { useId, useState } from 'preact/hooks'
import { Dialog } from '../../parts/dialog.tsx'
import { shownLine, shownText } from '../../text/shown.ts'
import { Line } from '../../text/visible.tsx'
import type { Action, ActionField } from './exec-data.ts'
import { quote } from './quote.ts'

interface FormProps {
  readonly action: Action
  readonly onRun: (cmd: string) => Promise<void>
  readonly onClose: () => void
}

/** A form made from what an action declares. What it will type is shown before it is run. */
export function ActionForm({ action, onRun, onClose }: FormProps): VNode {
  const { name, fields, error } = action
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const id = useId()
  const cmd = commandOf(action, values)
  const isWhole = fields.every((field) => !field.required || (values[field.name] ?? '') !== '')
  return (
    <Dialog title={`Action ${name}`} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          onClose()
          void onRun(cmd)
        }}
      >
        {error === null ? null : <p class="failed">{shownLine(error)}</p>}
        {fields.map((field) => (
          <label key={field.name} for={`${id}-${field.name}`}>
            <span>
              <Line text={field.name} chars={60} />
              {field.required ? ' *' : ''}
            </span>
            <Input
              id={`${id}-${field.name}`}
              field={field}
              value={values[field.name] ?? ''}
              onValue={(value) => setValues({ ...values, [field.name]: value })}
            />
            <small>{shownLine(hintOf(field))}</small>
          </label>
        ))}
        <pre class="will">
          <code>{shownText(cmd)}</code>
        </pre>
        {action.runsCommand ? <p class="hint">It runs a command on this machine.</p> : null}
        <button type="submit" class="act main" disabled={!isWhole}>
          Run
        </button>
      </form>
    </Dialog>
  )
}

interface InputProps {
  readonly id: string
  readonly field: ActionField
  readonly value: string
  readonly onValue: (value: string) => void
}

function Input({ id, field, value, onValue }: InputProps): VNode {
  const { type, allowed, min, max } = field
  const choices = allowed ?? (type === 'boolean' ? ['true', 'false'] : null)
  if (choices !== null) {
    return (
      <select id={id} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
        <option value="" />
        {choices.map((each) => (
          <option key={each} value={each}>
            {shownLine(each)}
          </option>
        ))}
      </select>
    )
  }
  const onInput = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
    onValue(currentTarget.value)
  if (type !== 'number' && type !== 'integer') return <input id={id} type="text" value={value} onInput={onInput} />
  return (
    <input
      id={id}
      type="number"
      step="any"
      min={min ?? undefined}
      max={max ?? undefined}
      value={value}
      onInput={onInput}
    />
  )
}

function hintOf({ description, default: standard, type }: ActionField): string {
  return [description ?? type, standard === null ? null : `without one: ${standard}`].filter(Boolean).join(', ')
}

function commandOf({ name, fields }: Action, values: Readonly<Record<string, string>>): string {
  const given = fields.flatMap((field) => {
    const value = values[field.name] ?? ''
    return value === '' ? [] : [`--${field.name} ${quote(value)}`]
  })
  return [`/act.${name}`, ...given].join(' ')
}
