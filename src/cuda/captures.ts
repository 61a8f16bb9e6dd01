/** How many streams of this thread are being captured here. The launch path looks at it. */
export const recording: { active: number } = { active: 0 };

const postponed: (() => void)[] = [];

/** Do something when no stream of this thread is being captured: now, or when the last of the captures ends. */
export function afterCaptures(run: () => void): void {
  if (recording.active === 0) run();
  else postponed.push(run);
}

/** Do what waits for the end of captures, if none is left. */
export function captureEnded(): void {
  while (recording.active === 0) {
    const run = postponed.shift();
    if (!run) return;
    run();
  }
}
