const ENTER = '\r'

/** Agents that were busy: one that answers, one that fails, one that works. */
const TEAM = `
mkdir -p ../team && cd ../team
printf 'command: ["sh", "-c", "case \\\\"$AGENT_MESSAGE\\\\" in *418*) echo no space left on device >&2; exit 3;; *report*) sleep 60;; esac; echo done"]\\nwake: events\\n' > agent.yaml
for id in builder writer; do string agent add $id --profile agent.yaml > /dev/null; done
ask() { printf '%s\\n' "$2" | string chat --agent $1 > /dev/null 2>&1; }
ask writer 'summarise the notes of Monday'
post() { curl -s -o /dev/null -d "$2" "$(string webhook show --agent $1)"; }
post builder 'build 417 passed'
sleep 1
printf 'command: ["sh", "-c", "echo no space left on device >&2; exit 3"]\\n' > broken.yaml
string agent add packer --profile broken.yaml > /dev/null
ask packer 'pack release 1.4' || true
(printf 'write the weekly report\\n' | string chat --agent writer --session weekly > /dev/null 2>&1 &)
sleep 1`

/** A profile whose program is not there, settings that are none, a folder that everybody can read. */
const BROKEN = `
printf 'command: ./nobody.sh\\n' > ../team/lost.yaml
string agent add courier --profile ../team/lost.yaml > /dev/null
printf 'limits: [\\n' > ~/.string/daemon/config.yaml
chmod 755 ~/.string/daemon`

/** What each picture shows: what is typed, and what must be on the screen before the next is. */
export const SCENES = [
  {
    name: 'session',
    title: 'string',
    before: 'string /close > /dev/null',
    steps: [
      ['string\r', 'main'],
      [`/open README.md${ENTER}`, 'README.md>'],
      ['/open #', '#shop'],
      ['\t', '#deploy'],
    ],
    cursor: true,
  },
  {
    name: 'search',
    title: 'find, change, undo',
    before: 'string /close > /dev/null',
    steps: [
      [`string main '/find retryLimit'${ENTER}`, 'README.md:'],
      [`string main '/replace src/queue.js:L1${ENTER}export const retryLimit = 5'${ENTER}`, '1 +│'],
      [`string bash:test ./check.sh${ENTER}`, '12 mails'],
      [`string main /undo${ENTER}`, 'reverted'],
    ],
  },
  {
    name: 'doctor',
    title: 'string doctor',
    before: 'string /close > /dev/null',
    steps: [[`string doctor${ENTER}`, 'All is well']],
  },
  {
    name: 'chat',
    title: 'string chat',
    before: `printf 'command: ./reviewer.sh\\ncwd: ../shop\\nchanflow: true\\nprimer: false\\n' > ../agents/reviewer.yaml; string agent add reviewer --home . --profile ../agents/reviewer.yaml > /dev/null`,
    steps: [
      [`string chat reviewer${ENTER}`, 'leaves'],
      [`Mails get lost. Why?${ENTER}`, '0 lost'],
    ],
  },
  {
    name: 'turns',
    title: 'string turns',
    before: TEAM,
    steps: [
      [`string turns${ENTER}`, 'write the weekly'],
      [(shown) => `string turn show ${/(\w{8})(?= .*failed)/.exec(shown)?.[1]}${ENTER}`, 'runs it again'],
    ],
  },
  {
    name: 'doctor-broken',
    title: 'string doctor, where much is wrong',
    before: BROKEN,
    steps: [[`string doctor${ENTER}`, 'to look at']],
  },
]
