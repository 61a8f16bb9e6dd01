import { inspect } from 'node:util';

/** Of Node.js's own list. */
export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

/** A stream, as far as colours go. */
export interface ColourStream {
  readonly isTTY?: boolean | undefined;
  readonly hasColors?: () => boolean;
}

/** A text in a colour. Not util.styleText: newer releases of Node.js have it look at the process's own stdout. */
function inColour(colour: Colour, text: string): string {
  const [on, off] = inspect.colors[colour] ?? [];
  return on === undefined || off === undefined ? text : `\x1b[${on}m${text}\x1b[${off}m`;
}

/** Whether a stream shows colours: a terminal does; NO_COLOR and FORCE_COLOR are respected. */
export function wantsColours(stream: ColourStream, env: NodeJS.ProcessEnv = process.env): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return !['0', 'false'].includes(forced);
  if ((env['NO_COLOR'] ?? '') !== '' || stream.isTTY !== true) return false;
  return stream.hasColors?.() ?? env['TERM'] !== 'dumb';
}

/** A report in colours: what happened, where the caret is, and the cure. */
export function paintReport(text: string): string {
  return text
    .split('\n')
    .map((line, i) => {
      if (i === 0) return inColour('bold', inColour('red', line));
      if (/^ {2}(?:> +\d+ \|| +\| +\^)/.test(line)) return inColour('yellow', line);
      if (line.startsWith('cure: ')) return inColour('green', line);
      return /^ {2}(?:at|called from) /.test(line) ? inColour('cyan', line) : line;
    })
    .join('\n');
}
