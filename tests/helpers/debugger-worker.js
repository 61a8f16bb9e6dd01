// A small debugger in a thread beside the program: it sets breakpoints as editors do, by the source maps of scripts as they come.
import { Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

/** The file, where to stop: `{ line, condition }`, what to look at, how many steps to go from there, and which files to pass over. */
const { url, breakpoints, evaluate, steps, skipped } = workerData;
const session = new Session();
session.connectToMainThread();

// It keeps the thread alive, too: a session does not.
parentPort.once('message', () => {
  session.disconnect();
  parentPort.close();
});

const scripts = new Map();
let stepsLeft = 0;

const post = (method, params = {}) =>
  new Promise((resolve, reject) => {
    session.post(method, params, (error, result) => {
      if (error) reject(new Error(`${method}: ${error.message}`));
      else resolve(result);
    });
  });
const report = (entry) => writeSync(1, `${JSON.stringify(entry)}\n`);
const guarded = (work) => (event) => {
  work(event.params).catch((error) => report({ error: String(error.stack) }));
};

session.on('Debugger.scriptParsed', ({ params }) => {
  const { scriptId, sourceMapURL = '', endLine } = params;
  const [head, data] = sourceMapURL.split(';base64,');
  if (!head.startsWith('data:application/json') || data === undefined) return;
  const payload = JSON.parse(Buffer.from(data, 'base64').toString());
  if (!params.url.startsWith('rawkernel-jit/')) return;
  scripts.set(scriptId, { url: params.url, payload, map: new SourceMap(payload), endLine });
  report({ script: params.url, payload });
});

/** Where a line of the file begins in a script. */
async function placeOf(scriptId, line) {
  const { map, endLine } = scripts.get(scriptId);
  for (let row = 0; row <= endLine; row++) {
    for (let column = 0; column < 400; column++) {
      const entry = map.findEntry(row, column);
      if (entry.originalSource === url && entry.originalLine === line - 1 && entry.generatedLine === row)
        return { scriptId, lineNumber: row, columnNumber: entry.generatedColumn };
    }
  }
  return undefined;
}

async function valuesOf(frame) {
  const found = {};
  for (const { type, object } of frame.scopeChain) {
    if (type !== 'local' && type !== 'block') continue;
    const { result } = await post('Runtime.getProperties', { objectId: object.objectId, ownProperties: true });
    for (const { name, value } of result) {
      if (Object.hasOwn(found, name)) continue;
      found[name] = value?.unserializableValue ?? value?.value ?? value?.description ?? null;
    }
  }
  return found;
}

session.on(
  'Debugger.paused',
  guarded(async ({ reason, callFrames, hitBreakpoints, data }) => {
    if (reason === 'instrumentation') {
      const { scriptId } = data;
      if (scripts.has(scriptId)) {
        for (const { line, condition } of breakpoints) {
          const location = await placeOf(scriptId, line);
          if (location) await post('Debugger.setBreakpoint', { location, ...(condition ? { condition } : {}) });
        }
      }
      session.post('Debugger.resume');
      return;
    }
    const [frame] = callFrames;
    const { scriptId, lineNumber, columnNumber } = frame.location;
    const entry = scripts.get(scriptId)?.map.findEntry(lineNumber, columnNumber) ?? {};
    const values = {};
    for (const text of evaluate) {
      const { result } = await post('Debugger.evaluateOnCallFrame', {
        callFrameId: frame.callFrameId,
        expression: text,
        returnByValue: true,
      });
      values[text] = result.value ?? result.unserializableValue ?? result.description;
    }
    report({
      isStep: hitBreakpoints.length === 0,
      name: frame.functionName,
      source: entry.originalSource,
      line: entry.originalLine + 1,
      scope: await valuesOf(frame),
      values,
    });
    if (hitBreakpoints.length > 0) stepsLeft = steps;
    // Without an answer: the program may end before it comes.
    session.post(stepsLeft-- > 0 ? 'Debugger.stepOver' : 'Debugger.resume');
  }),
);

await post('Debugger.enable');
// Editors pass over files that are not the user's: VS Code's skipFiles, Chrome's ignore list.
await post('Debugger.setBlackboxPatterns', { patterns: skipped });
await post('Debugger.setInstrumentationBreakpoint', { instrumentation: 'beforeScriptWithSourceMapExecution' });
parentPort.postMessage('ready');
