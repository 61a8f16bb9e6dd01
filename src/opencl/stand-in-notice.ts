import { sayStandIn } from '../core/embedded-notice.ts';
import { deviceVariable } from '../core/environment.ts';

/** Whether a line on stderr has said that OpenCL runs on the embedded device. */
let said = false;

/**
 * Say once that a program which did not ask for the embedded device runs on it.
 * @internal
 */
export function sayEmbedded(): void {
  if (said || deviceVariable() === 'cpu') return;
  said = true;
  sayStandIn(
    'no other OpenCL device was found: OpenCL runs on the embedded CPU device ' +
      '(RAWKERNEL_DEVICE=cpu: without this line; gpu: never)',
  );
}

/** Another line has said it. */
export function hushEmbedded(): void {
  said = true;
}
