import { render } from 'preact'
import { watchAddress } from './address/here.ts'
import { AppContext } from './app.ts'
import { Frame } from './frame/frame.tsx'
import { Keys } from './frame/keys.ts'
import { Notices } from './frame/notices.ts'
import { Clock } from './live/clock.ts'
import { Live } from './live/live.ts'

const app = {
  here: watchAddress(),
  live: new Live(),
  clock: new Clock(),
  keys: new Keys(),
  notices: new Notices(),
  seen: { agents: null },
}

render(
  <AppContext.Provider value={app}>
    <Frame />
  </AppContext.Provider>,
  document.body,
)
