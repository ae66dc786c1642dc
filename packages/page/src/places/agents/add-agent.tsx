import type { AgentRegistered } from '@string-os/protocol'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { goTo } from '../../address/here.ts'
import { useApp } from '../../app.ts'
import type { Answer } from '../../data/answer.ts'
import { agents } from '../../data/calls.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { shownLine } from '../../text/shown.ts'
import { Plain } from '../../text/visible.tsx'

/** How long nothing is typed before it is checked. */
const CHECK_MS = 300

/** Registers an agent; what is typed is checked as a registration would check it. */
export function AddAgent({ onClose }: { onClose: () => void }): VNode {
  const { notices } = useApp()
  const [id, setId] = useState('')
  const [home, setHome] = useState('')
  const [profile, setProfile] = useState('')
  const [check, setCheck] = useState<Answer<AgentRegistered> | null>(null)
  const name = id.trim()
  const fields = {
    ...(home.trim() === '' ? {} : { home: home.trim() }),
    ...(profile.trim() === '' ? {} : { profile: profile.trim() }),
  }
  const typed = JSON.stringify([name, fields])
  useEffect(() => {
    setCheck(null)
    if (name === '') return
    let isOld = false
    const timer = setTimeout(() => {
      void agents.check(name, fields).then((answer) => {
        if (!isOld) setCheck(answer)
      })
    }, CHECK_MS)
    return () => {
      isOld = true
      clearTimeout(timer)
    }
  }, [typed])
  const add = async (): Promise<void> => {
    const answer = await agents.register(name, fields)
    if (!answer.ok) return setCheck(answer)
    notices.show({ kind: 'done', text: `${answer.value.agent_id} is registered` })
    onClose()
    goTo({ kind: 'agent', agent: answer.value.agent_id })
  }
  return (
    <Dialog title="Add an agent" onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <Field name="Name" value={id} onInput={setId} hint="letters, digits and . _ @ + -" />
        <Field name="Profile" value={profile} onInput={setProfile} hint="path of a YAML file: which program it is" />
        <Field name="Home" value={home} onInput={setHome} hint="folder it works in; without one it gets its own" />
        <div class="check" role="status">
          {check === null ? null : <Checked check={check} />}
        </div>
        <button type="submit" class="act main" disabled={name === '' || check?.ok === false}>
          Add
        </button>
      </form>
    </Dialog>
  )
}

function Checked({ check }: { check: Answer<AgentRegistered> }): VNode {
  if (!check.ok) {
    return (
      <div class="failed">
        <Plain text={check.reason} />
      </div>
    )
  }
  const { home, created, warnings = [], brings = [] } = check.value
  return (
    <>
      <p>
        {created ? 'It will live in' : 'It exists, and will be changed. It lives in'} <code>{shownLine(home)}</code>
      </p>
      {warnings.map((text) => (
        <p class="waiting" key={text}>
          {shownLine(text)}
        </p>
      ))}
      {brings.map((text) => (
        <p key={text}>
          Brings <code>{shownLine(text)}</code>, which is used from then on
        </p>
      ))}
    </>
  )
}

interface FieldProps {
  readonly name: string
  readonly value: string
  readonly hint: string
  readonly onInput: (value: string) => void
}

function Field({ name, value, hint, onInput }: FieldProps): VNode {
  return (
    <label>
      <span>{name}</span>
      <input
        type="text"
        value={value}
        spellcheck={false}
        autocomplete="off"
        autocapitalize="off"
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      <small>{hint}</small>
    </label>
  )
}
