import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// The job: find a fact in 300 files, fix two lines, test, report. As a model is asked: "One of the services in services/
// still uses gateway v1. Move it to v2, which needs 3 retries. Run ./check.sh when you are done, and note in report.md which
// service it was."

const FILES = 300
const OLD = 217
export const FAULTY = fileName(OLD)

function fileName(index) {
  return `services/service-${String(index).padStart(3, '0')}.conf`
}

/** The project of the job: 300 settings, of which one has two lines that are wrong. */
export function makeProject(folder) {
  mkdirSync(join(folder, 'services'), { recursive: true })
  for (let index = 0; index < FILES; index += 1) writeFileSync(join(folder, fileName(index)), settings(index))
  writeFileSync(join(folder, 'report.md'), '# Report\n')
  writeFileSync(join(folder, 'check.sh'), CHECK)
  chmodSync(join(folder, 'check.sh'), 0o755)
}

const CHECK = `#!/bin/bash
cd "$(dirname "$0")" || exit 1
grep -L 'gateway = v2' services/*.conf | sed 's/$/: not on v2/' | grep . && exit 1
grep -l 'retries = 0' services/*.conf | sed 's/$/: v2 needs retries/' | grep . && exit 1
echo "300 services ok"
`

function settings(index) {
  const isOld = index === OLD
  return `# Settings of service ${index}
[service]
name = service-${index}
owner = team-${index % 17}
port = ${20_000 + index}
log_level = info

[storage]
engine = postgres
pool_size = ${5 + (index % 11)}
statement_timeout_ms = ${1_000 + index * 3}

[network]
gateway = ${isOld ? 'v1' : 'v2'}
timeout_ms = 3000
retries = ${isOld ? 0 : 3}
keep_alive = true
compression = gzip

[limits]
requests_per_minute = ${600 + index}
body_kib = 512
`
}

/** Throws unless the job is done, and nothing else was touched. */
export function assertDone(folder) {
  const done = settings(OLD).replace('gateway = v1', 'gateway = v2').replace('retries = 0', 'retries = 3')
  for (const name of readdirSync(join(folder, 'services'))) {
    const index = Number(/\d+/.exec(name)[0])
    const wanted = index === OLD ? done : settings(index)
    if (readFileSync(join(folder, 'services', name), 'utf8') !== wanted)
      throw new Error(`${name} is not as it should be`)
  }
  execFileSync(join(folder, 'check.sh'))
  if (!readFileSync(join(folder, 'report.md'), 'utf8').includes(`service-${OLD}`)) throw new Error('There is no report')
}
