import type { CaseResult } from './harness.ts';
import { figure, type Report } from './report.ts';

const WIDTH = 760;
const LABEL = 230;
const FIGURE = 110;
const ROW = 24;
const BAR = 15;
const HEAD = 46;
const GAP = 18;
const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .title { font-weight: 600; }
  .figure { font-variant-numeric: tabular-nums; }
  .own { fill: #1a7f37; } .c { fill: #57606a; } .peer { fill: #afb8c1; } .spread { stroke: #24292f; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .own { fill: #3fb950; } .c { fill: #8b949e; } .peer { fill: #484f58; } .spread { stroke: #e6edf3; }
  }`;

/** The cases of a report as bars, one panel for each: the median, and the middle half of the rounds. */
export function chart({ cases, machine, node }: Pick<Report, 'cases' | 'machine' | 'node'>): string {
  let y = GAP;
  const panels = cases.map((one) => {
    const text = panel(one, y);
    y += HEAD + one.sides.length * ROW + GAP;
    return text;
  });
  const devices = Object.entries(machine).filter(([key]) => /^(?:CUDA|OpenCL)/.test(key));
  const about = escape([...devices.slice(0, 1).map(([, text]) => text), `Node ${node}`].join(' · '));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + GAP}" role="img" aria-label="${about}">
<style>${STYLE}
</style>
${panels.join('\n')}
<text x="${WIDTH - GAP}" y="${y}" text-anchor="end">${about}</text>
</svg>
`;
}

function panel({ suite, name, unit, sides }: CaseResult, top: number): string {
  const most = Math.max(...sides.map(({ median, spread }) => median + spread / 2));
  const room = WIDTH - LABEL - FIGURE - GAP;
  const better = unit.endsWith('/s') ? 'more is better' : 'less is better';
  const rows = sides.map((side, i) => {
    const y = top + HEAD + i * ROW;
    const width = (side.median / most) * room;
    // Half of a wide spread may be more than the median.
    const [from, to] = [-1, 1].map(
      (sign) => LABEL + Math.max(0, (side.median + (sign * side.spread) / 2) / most) * room,
    );
    const kind = side.name.startsWith('rawkernel') ? 'own' : i === 0 || side.name.startsWith('C, ') ? 'c' : 'peer';
    return `<text x="${LABEL - 8}" y="${y + 12}" text-anchor="end">${escape(side.name)}</text>
<rect class="${kind}" x="${LABEL}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>
<line class="spread" x1="${from?.toFixed(1)}" x2="${to?.toFixed(1)}" y1="${y + BAR / 2}" y2="${y + BAR / 2}"/>
<text class="figure" x="${WIDTH - GAP}" y="${y + 12}" text-anchor="end">${figure(side.median, unit)} ${unit}</text>`;
  });
  return `<text class="title" x="${GAP}" y="${top + 16}">${escape(name)}</text>
<text x="${GAP}" y="${top + 34}">${escape(suite)} · ${unit}, ${better}</text>
${rows.join('\n')}`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
